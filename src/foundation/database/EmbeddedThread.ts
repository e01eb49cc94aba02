import { PGlite, type PGliteOptions } from "@electric-sql/pglite"
import { PGLiteSocketServer } from "@electric-sql/pglite-socket"
import { join } from "node:path"
import { inspect } from "node:util"
import { parentPort, workerData } from "node:worker_threads"
import * as EmptyDatabase from "./EmptyDatabase.ts"
import { forOwnerAlone } from "./ForOwnerAlone.ts"
import * as ImageCache from "./ImageCache.ts"
import { ImageFiles } from "./ImageFiles.ts"

// The thread of the embedded database. It loads nothing of the server, so that it is there while the server still loads.

/** The database to open, and the path of the socket to serve it on. */
export interface Opening {
  readonly folder: string
  readonly storage: "folder" | "memory"
  readonly socket: string
  /** The name that an image of the database has in the cache. */
  readonly imageName: string
}

/** What the thread is told: to end, or to keep an image of the database for later starts, unless there is one. */
export type Order = "close" | "keep image"

/** What the thread tells: that the socket answers, what became of the image, or what broke the database: it serves nobody then. */
export type News =
  | { readonly state: "open" }
  | { readonly state: "image kept" }
  | { readonly state: "image not kept"; readonly cause: string }
  | { readonly state: "broken"; readonly cause: string }

/**
 * Keeps extended-query messages of two connections from mixing between a Parse and its Sync, because all connections
 * share one unnamed statement and portal. The socket server serves one connection alone while a transaction is open, so
 * an unfinished batch is reported to it as a transaction.
 *
 * A message whose execution throws has ended the program inside PGlite: another call would spin for ever, and the socket
 * server, which waits for this one, serves nobody any more. So this object calls it never again, and says that it broke.
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

  override async close() {
    if (!this.#isBroken) await super.close()
  }
}

const describe = (cause: unknown) => inspect(cause, { breakLength: Infinity, depth: 0 })

const tell = (news: News) => parentPort?.postMessage(news)

// PostgreSQL takes its buffers at the start, 128 MB by default. The system caches the files, too, and little data is usual.
const settings = ["-c", "shared_buffers=32MB"]

const start = async (options: PGliteOptions) => {
  const database = new BatchingPGlite({ ...options, startParams: [...PGlite.defaultStartParams, ...settings] })
  await database.waitReady
  return database
}

const startInMemory = async (imageName: string) => {
  const shipped = EmptyDatabase.read()
  if (shipped !== undefined) {
    return { database: await start({ fs: new ImageFiles(shipped) }), keepImage: async () => {} }
  }
  const image = ImageCache.read(imageName)
  if (image !== undefined) {
    try {
      return { database: await start({ fs: new ImageFiles(image) }), keepImage: async () => {} }
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

const open = async ({ folder, imageName, socket, storage }: Opening) => {
  const { database, keepImage } = storage === "folder"
    ? { database: await start(EmptyDatabase.optionsOf(join(folder, "db"))), keepImage: async () => {} }
    : await startInMemory(imageName)
  // All connections share one session, so its search path has to include BullMQ's schema.
  await database.exec("SET search_path = public, bullmq")
  const server = new PGLiteSocketServer({ db: database, path: socket, maxConnections: 64 })
  await server.start()
  forOwnerAlone(socket, 0o600)
  parentPort?.on("message", async (order: Order) => {
    if (order === "keep image") {
      return tell(await keepImage().then(() => imageKept, imageNotKept))
    }
    await server.stop()
    await database.close()
    parentPort?.close()
  })
  tell({ state: "open" })
}

const imageKept: News = { state: "image kept" }
const imageNotKept = (cause: unknown): News => ({ state: "image not kept", cause: describe(cause) })

await open(workerData as Opening)
