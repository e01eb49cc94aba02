import { MemoryFS, PGlite } from "@electric-sql/pglite"

/**
 * Files of a database in memory, from an image. PGlite's own reader looks up every folder of every path and copies
 * every file, which takes longer than to start PostgreSQL itself; this one hands out parts of the image, and the
 * database writes into them.
 */
export class ImageFiles extends MemoryFS {
  readonly #image: Uint8Array<ArrayBuffer>

  constructor(image: Uint8Array<ArrayBuffer>) {
    super()
    this.#image = image
  }

  /** PGlite calls it before it looks for a database. */
  override async initialSyncFs() {
    const files: Files | undefined = this.pg?.Module.FS
    for (const { data, isFolder, path } of entries(this.#image)) {
      const target = `${PGlite.paths.PGDATA}/${path}`
      if (isFolder) files?.mkdirTree(target, 0o700)
      else files?.writeFile(target, data, { canOwn: true })
    }
  }
}

/** Part of Emscripten's file system that is used (https://emscripten.org/docs/api_reference/Filesystem-API.html). */
interface Files {
  mkdirTree(path: string, mode: number): void
  /** A file that can own its data is not copied. */
  writeFile(path: string, data: Uint8Array, options: { readonly canOwn: boolean }): void
}

/**
 * Entries of a tar archive: a block of 512 bytes with name, size and type, then the content in such blocks (POSIX,
 * ustar).
 */
function* entries(archive: Uint8Array<ArrayBuffer>) {
  const text = (from: number, length: number) =>
    Buffer.from(archive.buffer, archive.byteOffset + from, length).toString("latin1").replace(/\0.*/s, "")
  for (let at = 0; at < archive.length;) {
    const name = text(at, 100)
    if (name === "") return
    const size = Number.parseInt(text(at + 124, 12), 8)
    const begin = at + 512
    // A file that grows gets new room, so none is written over its neighbour.
    yield {
      path: name.replace(/^\.?\//, "").replace(/\/$/, ""),
      isFolder: text(at + 156, 1) === "5",
      data: archive.subarray(begin, begin + size)
    }
    at = begin + 512 * Math.ceil(size / 512)
  }
}
