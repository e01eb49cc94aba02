import { PGlite } from "@electric-sql/pglite"
import { PGLiteSocketServer } from "@electric-sql/pglite-socket"
import { Effect, Schema, type Scope } from "effect"
import { chmodSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { messageOf } from "../../domain/Cause.ts"
import * as DataFolder from "./DataFolder.ts"
import * as MemorySnapshot from "./MemorySnapshot.ts"

/** The embedded database could not be started; the message is one line for the operator. */
export class EmbeddedError extends Schema.TaggedError<EmbeddedError>()("EmbeddedError", {
  message: Schema.String
}) {}

/**
 * PostgreSQL in this process, kept in the folder (in memory without one) and served on a socket in it, so that the
 * same client speaks to it as to a server and the CLI reaches a running one. Succeeds with the socket's path.
 */
export const serve = Effect.fn("Embedded.serve")(function*(
  folder: string,
  storage: "folder" | "memory"
): Effect.fn.Return<string, EmbeddedError, Scope.Scope> {
  const path = DataFolder.socketPath(folder)
  yield* Effect.try({
    try: () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      // The folder may be an older one that others can enter, and PGlite lets everybody write what it makes.
      mkdirSync(join(folder, "db"), { recursive: true })
      forOwnerAlone(join(folder, "db"), 0o700)
    },
    catch: (cause) => new EmbeddedError({ message: `The data folder ${folder} cannot be made: ${messageOf(cause)}` })
  })
  if (path.length > 100) {
    return yield* new EmbeddedError({
      message: `The path of the data folder ${folder} is too long for a socket (100 characters)`
    })
  }
  yield* DataFolder.acquire(folder, path).pipe(
    Effect.mapError(({ message }) => new EmbeddedError({ message }))
  )
  const database = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        const database = new BatchingPGlite(
          storage === "folder" ? { dataDir: join(folder, "db") } : await MemorySnapshot.open()
        )
        await database.waitReady
        // All connections share one session, so its search path must name BullMQ's schema, too.
        await database.exec("SET search_path = public, bullmq")
        return database
      },
      catch: (cause) =>
        new EmbeddedError({ message: `The database in ${folder} cannot be opened: ${messageOf(cause)}` })
    }),
    (database) => Effect.promise(() => database.close())
  )
  yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        const server = new PGLiteSocketServer({ db: database, path, maxConnections: 64 })
        await server.start()
        forOwnerAlone(path, 0o600)
        return server
      },
      catch: (cause) => new EmbeddedError({ message: `The socket ${path} cannot be opened: ${messageOf(cause)}` })
    }),
    (server) => Effect.promise(() => server.stop())
  )
  return path
})

/**
 * Extended-query messages of two connections must not mix between a Parse and its Sync, because all connections share
 * one unnamed statement and portal. The socket server keeps to one connection while a transaction is open; to it an
 * unfinished batch looks like one.
 */
class BatchingPGlite extends PGlite {
  #insideBatch = false

  override isInTransaction() {
    return this.#insideBatch || super.isInTransaction()
  }

  override async execProtocolRawStream(...args: Parameters<PGlite["execProtocolRawStream"]>) {
    // Parse, Bind, Describe, Execute, Close and Flush open a batch; Sync, Query, Terminate and the start-up end it.
    this.#insideBatch = "PBDECH".includes(String.fromCharCode(args[0][0] ?? 0))
    return super.execProtocolRawStream(...args)
  }
}

// A mounted volume may belong to another user, or know no modes: then who mounts it decides.
const forOwnerAlone = (path: string, mode: number): void => {
  try {
    chmodSync(path, mode)
  } catch {}
}
