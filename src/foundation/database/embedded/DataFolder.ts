import { Effect, Predicate, Schema, type Scope } from "effect"
import { existsSync, rmSync } from "node:fs"
import { connect } from "node:net"
import { join, relative, resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { messageOf } from "../../../domain/Cause.ts"

/** Socket of the embedded database in a data folder, with the name that PostgreSQL's own tools expect. */
export const socketPath = (folder: string): string => {
  const absolute = join(resolve(folder), ".s.PGSQL.5432")
  const near = relative(process.cwd(), absolute)
  return near.length < absolute.length ? near : absolute
}

/** The embedded database could not be started; the message is one line for the operator. */
export class EmbeddedError extends Schema.TaggedError<EmbeddedError>()("EmbeddedError", {
  message: Schema.String
}) {}

/**
 * Reserves the data folder for this process while the scope is open. Of any number of processes that ask at the same
 * moment, in one container or several, at most one gets it. The reservation is a lock of the operating system, which
 * ends with the process, however that ends.
 */
export const acquire = (folder: string, socket: string): Effect.Effect<void, EmbeddedError, Scope.Scope> =>
  Effect.gen(function*() {
    yield* Effect.acquireRelease(lock(folder), (locked) => Effect.sync(() => locked.close()))
    // Left behind by a process that was killed.
    rmSync(socket, { force: true })
  })

// Node has no call for file locks, and those of SQLite are well proven. Nothing is ever stored in the file.
const lock = (folder: string) =>
  Effect.try({
    try: () => {
      const file = new DatabaseSync(join(folder, "lock"), { timeout: lockTimeoutMillis })
      try {
        file.exec("BEGIN EXCLUSIVE")
        return file
      } catch (cause) {
        file.close()
        throw cause
      }
    },
    catch: (cause) =>
      Predicate.hasProperty(cause, "errcode") && cause.errcode === sqliteBusy
        ? inUse(folder)
        : new EmbeddedError({ message: `The data folder ${folder} cannot be locked: ${messageOf(cause)}` })
  })

// Two processes that ask at the same moment may both fail once, and then one of them gets it.
const lockTimeoutMillis = 500

// https://sqlite.org/rescode.html#busy
const sqliteBusy = 5

const inUse = (folder: string) =>
  new EmbeddedError({ message: `The data folder ${folder} belongs to a server that is running or just starting` })

/** Asks whether a server accepts connections on the socket. */
export const answers = (socket: string): Effect.Effect<boolean> =>
  Effect.callback<boolean>((resume) => {
    const connection = connect(socket)
    const finish = (answer: boolean) => {
      connection.destroy()
      resume(Effect.succeed(answer))
    }
    connection.once("connect", () => finish(true))
    connection.once("error", () => finish(false))
    return Effect.sync(() => connection.destroy())
  })

/** Tells whether the folder has an embedded database: one that runs, or the files of one. */
export const hasDatabase = (folder: string): Effect.Effect<boolean> =>
  existsSync(join(folder, "db", "PG_VERSION")) ? Effect.succeed(true) : answers(socketPath(folder))
