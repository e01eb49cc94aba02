import { PGlite } from "@electric-sql/pglite"
import { PGLiteSocketServer } from "@electric-sql/pglite-socket"
import { Deferred, Effect, Schema, type Scope } from "effect"
import { chmodSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { messageOf } from "../../domain/Cause.ts"
import * as DataFolder from "./DataFolder.ts"
import * as EmptyDatabase from "./EmptyDatabase.ts"

// PostgreSQL as WebAssembly is compiled by V8's baseline compiler alone. The optimizing one needs 600 MB and 1.6 s for a
// single function of 105 kB, as soon as a few statements have run.
setFlagsFromString("--no-wasm-dynamic-tiering")
setFlagsFromString("--no-wasm-tier-up")

/** The embedded database could not be started; the message is one line for the operator. */
export class EmbeddedError extends Schema.TaggedError<EmbeddedError>()("EmbeddedError", {
  message: Schema.String
}) {}

/**
 * Runs PostgreSQL in this process, with its data in the folder or in memory, and serves it on a socket in the folder.
 * So it is reached by the same client as a server, and the CLI can join it. Succeeds with the socket's path. When it
 * breaks it is opened again, as a server of PostgreSQL recovers from a crash.
 */
export const serve = Effect.fn("Embedded.serve")(function*(
  folder: string,
  storage: "folder" | "memory"
): Effect.fn.Return<string, EmbeddedError, Scope.Scope> {
  const path = DataFolder.socketPath(folder)
  yield* Effect.try({
    try: () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      // The folder may have existed and be open to other users, and PGlite makes its files writable for everybody.
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
  const started = yield* Deferred.make<void, EmbeddedError>()
  const run = Effect.scoped(Effect.gen(function*() {
    const database = yield* open(folder, storage)
    yield* listen(database, path)
    yield* Deferred.succeed(started, undefined)
    const cause = yield* Effect.promise(() => database.broken)
    yield* Effect.logError("The embedded database broke", cause)
  }))
  const runAgain = Effect.catch(
    run,
    ({ message }) => Effect.andThen(Effect.logError(message), Effect.sleep("1 second"))
  )
  // The data in a folder is there again; a database in memory is gone.
  const supervise = storage === "folder" ? Effect.andThen(run, Effect.forever(runAgain)) : run
  yield* Effect.forkScoped(Effect.interruptible(Effect.catch(supervise, (error) => Deferred.fail(started, error))))
  yield* Deferred.await(started)
  return path
})

const open = (folder: string, storage: "folder" | "memory") =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        const database = new BatchingPGlite({
          ...(storage === "folder" ? EmptyDatabase.optionsOf(join(folder, "db")) : EmptyDatabase.options()),
          startParams: [...PGlite.defaultStartParams, ...settings]
        })
        await database.waitReady
        // All connections share one session, so its search path has to include BullMQ's schema.
        await database.exec("SET search_path = public, bullmq")
        return database
      },
      catch: (cause) =>
        new EmbeddedError({ message: `The database in ${folder} cannot be opened: ${messageOf(cause)}` })
    }),
    (database) => Effect.promise(() => database.close())
  )

// PostgreSQL takes its buffers at the start, 128 MB by default. The system caches the files, too, and little data is usual.
const settings = ["-c", "shared_buffers=32MB"]

const listen = (database: PGlite, path: string) =>
  Effect.acquireRelease(
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
  readonly #breaking = Promise.withResolvers<unknown>()

  /** Resolves with what was thrown, once something was. */
  get broken(): Promise<unknown> {
    return this.#breaking.promise
  }

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
      this.#breaking.resolve(cause)
      throw cause
    }
  }

  override async close() {
    if (!this.#isBroken) await super.close()
  }
}

// A mounted volume may belong to another user, or support no modes: then its permissions are left as they are.
const forOwnerAlone = (path: string, mode: number): void => {
  try {
    chmodSync(path, mode)
  } catch {}
}
