import { createHash, randomUUID } from "node:crypto"
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join, sep } from "node:path"
import { crc32 } from "node:zlib"
import manifest from "../../../../package.json" with { type: "json" }

/**
 * Image of an empty, migrated database that a test kit of the package has made, for those that start after it. It is in
 * the folder of caches beside the package, or where that cannot be written, in the user's.
 */
export const nameOf = (schema: ReadonlyArray<string>): string => {
  const madeOf = [manifest.version, manifest.optionalDependencies["@electric-sql/pglite"], ...schema]
  return `empty-${createHash("sha256").update(madeOf.join("\n")).digest("hex").slice(0, 16)}.tar`
}

/** Image, if it was kept and is as it was written. */
export const read = (name: string): Uint8Array<ArrayBuffer> | undefined => {
  const file = folders().map((folder) => join(folder, name)).find(existsSync)
  if (file === undefined) return undefined
  const content = readFileSync(file)
  const image = content.subarray(0, -sumLength)
  // A copy of the folder, as CI makes it, may have ended early.
  if (content.length > sumLength && sumOf(image).equals(content.subarray(-sumLength))) return image
  forget(name)
  return undefined
}

/** Keeps the image. Nobody sees a part of it: it gets its name when it is whole, and of several the last one stays. */
export const write = (name: string, image: Uint8Array): void => {
  for (const folder of folders()) {
    const unfinished = join(folder, `${name}.${randomUUID()}`)
    try {
      mkdirSync(folder, { recursive: true })
      writeFileSync(unfinished, image)
      appendFileSync(unfinished, sumOf(image))
      return renameSync(unfinished, join(folder, name))
    } catch {
      // Without a cache the next start is as slow as this one.
      rmSync(unfinished, { force: true })
    }
  }
}

/** Deletes an image that cannot be opened. */
export const forget = (name: string): void => {
  for (const folder of folders()) rmSync(join(folder, name), { force: true })
}

/** Stands at the end of the file. */
const sumOf = (image: Uint8Array): Buffer => {
  const sum = Buffer.alloc(sumLength)
  sum.writeUInt32BE(crc32(image))
  return sum
}

const sumLength = 4

const folders = (): ReadonlyArray<string> => {
  const own = import.meta.dirname
  const modules = own.lastIndexOf(`${sep}node_modules${sep}`)
  const users = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "slotkey")
  return modules < 0 ? [users] : [join(own.slice(0, modules), "node_modules", ".cache", "slotkey"), users]
}
