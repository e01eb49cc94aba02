import { PGlite, type PGliteOptions } from "@electric-sql/pglite"
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * Options that open a new database in memory from the image of an empty one. The image is made once for each version of
 * PGlite and kept beside the installed packages: making it takes seconds, loading it a fraction of one.
 */
export const open = async (): Promise<PGliteOptions> => {
  if (!existsSync(file)) await make()
  return { loadDataDir: new Blob([readFileSync(file)]) }
}

const packaged = fileURLToPath(import.meta.resolve("@electric-sql/pglite"))
const folder = join(packaged.slice(0, packaged.lastIndexOf("node_modules")), "node_modules", ".cache", "slotkey")
const { mtimeMs, size } = statSync(packaged)
const file = join(folder, `pglite-${size}-${Math.trunc(mtimeMs)}.tar`)

const make = async (): Promise<void> => {
  const database = await PGlite.create()
  const image = await database.dumpDataDir("none")
  await database.close()
  mkdirSync(folder, { recursive: true })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, new Uint8Array(await image.arrayBuffer()))
  // Renaming is atomic: two processes that make it at once both succeed, and no reader finds half an image.
  renameSync(draft, file)
}
