import { PGlite } from "@electric-sql/pglite"
import { PGLiteSocketServer } from "@electric-sql/pglite-socket"
import { join } from "node:path"
import { inspect } from "node:util"
import { parentPort, workerData } from "node:worker_threads"
import * as EmptyDatabase from "./EmptyDatabase.ts"
import { forOwnerAlone } from "./ForOwnerAlone.ts"

// The thread of the embedded database. It loads nothing of the server, so that it is there while the server still loads.

/** The database to open, and the path of the socket to serve it on. */
export interface Opening {
  readonly folder: string
  readonly storage: "folder" | "memory"
  readonly socket: string
}

/** What the thread tells: that the socket answers, or what broke the database, after which it serves nobody. */
export type News = { readonly state: "open" } | { readonly state: "broken"; readonly cause: string }

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
      tell({ state: "broken", cause: inspect(cause, { breakLength: Infinity, depth: 0 }) })
      throw cause
    }
  }

  override async close() {
    if (!this.#isBroken) await super.close()
  }
}

const tell = (news: News) => parentPort?.postMessage(news)

// PostgreSQL takes its buffers at the start, 128 MB by default. The system caches the files, too, and little data is usual.
const settings = ["-c", "shared_buffers=32MB"]

const open = async ({ folder, socket, storage }: Opening) => {
  const database = new BatchingPGlite({
    ...(storage === "folder" ? EmptyDatabase.optionsOf(join(folder, "db")) : EmptyDatabase.options()),
    startParams: [...PGlite.defaultStartParams, ...settings]
  })
  await database.waitReady
  // All connections share one session, so its search path has to include BullMQ's schema.
  await database.exec("SET search_path = public, bullmq")
  const server = new PGLiteSocketServer({ db: database, path: socket, maxConnections: 64 })
  await server.start()
  forOwnerAlone(socket, 0o600)
  parentPort?.once("message", async () => {
    await server.stop()
    await database.close()
    parentPort?.close()
  })
  tell({ state: "open" })
}

await open(workerData as Opening)
