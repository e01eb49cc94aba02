import { PGlite, type PGliteOptions } from "@electric-sql/pglite"
import { PGLiteSocketServer } from "@electric-sql/pglite-socket"
import { join } from "node:path"
import { inspect } from "node:util"
import { setFlagsFromString } from "node:v8"
import { parentPort, workerData } from "node:worker_threads"
import * as EmptyDatabase from "./EmptyDatabase.ts"
import { forOwnerAlone } from "./ForOwnerAlone.ts"
import * as ImageCache from "./ImageCache.ts"
import { ImageFiles } from "./ImageFiles.ts"

// Thread of the embedded database. It loads nothing of the server, so that it is there while the server still loads.

/** Database to open, and the path of the socket to serve it on. */
export interface Opening {
  readonly folder: string
  readonly storage: "folder" | "memory"
  readonly socket: string
  /** Name that an image of the database has in the cache. */
  readonly imageName: string
}

/** An order to the thread: to end, or to keep an image of the database for later starts, unless there is one. */
export type Order = "close" | "keep image"

/**
 * A message of the thread: that the socket answers, and whether the whole schema is there because the database came
 * from a kept image; what became of an image; or what broke the database: it serves nobody then.
 */
export type News =
  | { readonly state: "open"; readonly isMigrated: boolean }
  | { readonly state: "image kept" }
  | { readonly state: "image not kept"; readonly cause: string }
  | { readonly state: "broken"; readonly cause: string }

/**
 * Keeps extended-query messages of two connections from mixing between a Parse and its Sync, because all connections
 * share one unnamed statement and portal. The socket server serves one connection alone while a transaction is open, so
 * an unfinished batch is reported to it as a transaction.
 *
 * A message whose execution throws has ended the program inside PGlite: another call would spin for ever, and the
 * socket server, which waits for this one, serves nobody any more. So this object calls it never again, and says that
 * it broke.
 */
class BatchingPGlite extends PGlite {
  #insideBatch = false
  #isBroken = false

  override isInTransaction() {
    return !this.#isBroken && (this.#insideBatch || super.isInTransaction())
  }

  override async execProtocolRawStream(...args: Parameters<PGlite["execProtocolRawStream"]>) {
    // Parse, Bind, Describe, Execute, Close and Flush open a batch; Sync, Query, Terminate and the start-up end it.
    this.#insideBatch = "PBDECH".includes(String.fromCharCode(args[0][0] ?? 0))
    try {
      return await super.execProtocolRawStream(...args)
    } catch (cause) {
      this.#isBroken = true
      tell({ state: "broken", cause: describe(cause) })
      throw cause
    }
  }

  /**
   * Reads no types: the programs that use this database speak its protocol. The query would be a tenth of the start.
   */
  override async _initArrayTypes() {}

  override async close() {
    if (!this.#isBroken) await super.close()
  }
}

const describe = (cause: unknown) => inspect(cause, { breakLength: Infinity, depth: 0 })

const tell = (news: News) => parentPort?.postMessage(news)

// PostgreSQL takes and clears its memory at the start: 128 MB of buffers by default, and places for a hundred sessions,
// of which PGlite has one. The system caches the files, too, and little data is usual; files in memory hardly need
// buffers.
const settingsOf = (buffers: string) => ["-c", `shared_buffers=${buffers}`, "-c", "max_connections=5"]

const start = async (options: PGliteOptions, buffers = "4MB") => {
  const startParams = [...PGlite.defaultStartParams, ...settingsOf(buffers)]
  const database = new BatchingPGlite({ ...options, startParams })
  await database.waitReady
  // All connections share one session, so its search path has to include BullMQ's schema.
  await database.exec("SET search_path = public, bullmq")
  return database
}

interface Started {
  readonly database: BatchingPGlite
  /** True if the whole schema is there, because the database came from a kept image. */
  readonly isMigrated?: boolean
  readonly keepImage?: () => Promise<void>
}

const startInMemory = async (imageName: string): Promise<Started> => {
  const shipped = EmptyDatabase.read()
  if (shipped !== undefined) return { database: await start({ fs: new ImageFiles(shipped) }) }
  const image = ImageCache.read(imageName)
  if (image !== undefined) {
    try {
      return { database: await start({ fs: new ImageFiles(image) }), isMigrated: true }
    } catch {
      ImageCache.forget(imageName)
    }
  }
  // Files of the log are 16 MB by default, most of the image, and the templates are half of the rest.
  const database = await start({ initDbStartParams: ["--wal-segsize=1"] })
  const keepImage = async () => {
    await database.exec("UPDATE pg_database SET datistemplate = false")
    for (const template of ["template0", "template1"]) await database.exec(`DROP DATABASE ${template}`)
    await database.exec("CHECKPOINT")
    ImageCache.write(imageName, await (await database.dumpDataDir("none")).bytes())
  }
  return { database, keepImage }
}

const startInFolder = async (folder: string): Promise<Started> => ({
  database: await start(EmptyDatabase.optionsOf(folder), "32MB")
})

const open = async ({ folder, imageName, socket, storage }: Opening) => {
  const { database, isMigrated = false, keepImage } = await (storage === "folder"
    ? startInFolder(join(folder, "db"))
    : startInMemory(imageName))
  const server = new PGLiteSocketServer({ db: database, path: socket, maxConnections: 64 })
  await server.start()
  forOwnerAlone(socket, 0o600)
  parentPort?.on("message", async (order: Order) => {
    if (order === "keep image") {
      return tell(await Promise.resolve(keepImage?.()).then(() => imageKept, imageNotKept))
    }
    await server.stop()
    await database.close()
    parentPort?.close()
  })
  tell({ state: "open", isMigrated })
}

const imageKept: News = { state: "image kept" }
const imageNotKept = (cause: unknown): News => ({ state: "image not kept", cause: describe(cause) })

// PostgreSQL as WebAssembly is compiled by V8's baseline compiler alone. The optimizing one needs 600 MB and 1.6 s for
// a single function of 105 kB, as soon as a few statements have run. The flags hold for the whole process, and V8
// rejects code that was cached under others. So they are set last: this thread's modules and Node's own have been
// loaded by then.
setFlagsFromString("--no-wasm-tier-up")
setFlagsFromString("--no-wasm-dynamic-tiering")
await open(workerData as Opening)
