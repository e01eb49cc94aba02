import type { PGliteOptions } from "@electric-sql/pglite"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { brotliDecompressSync } from "node:zlib"

/**
 * Options that open the database in this folder, or a new one from the image of an empty, migrated one if there is
 * none. PGlite would need seconds and a second instance of itself to make it, as it does in the package, where the
 * image would be larger than all the rest. Migrations that are newer than the image run at the start, as on any older
 * database.
 *
 * The image has the file by which PGlite knows a database at its end: a start that is killed before leaves a folder
 * that the next one fills again.
 */
export const optionsOf = (folder: string): PGliteOptions => {
  const content = existsSync(join(folder, "PG_VERSION")) ? undefined : read()
  return { dataDir: folder, ...(content === undefined ? {} : { loadDataDir: new Blob([content]) }) }
}

/**
 * Image unpacked, a tar archive. There is none in the package, where it would be larger than all the rest
 * (`ImageCache`).
 */
export const read = (): Uint8Array<ArrayBuffer> | undefined =>
  existsSync(image) ? brotliDecompressSync(readFileSync(image)) : undefined

/** File with the image; `npm run image` makes it. */
export const image = join(import.meta.dirname, "EmptyDatabase.tar.br")
