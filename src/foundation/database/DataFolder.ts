import { Effect, Schema, type Scope } from "effect"
import { randomUUID } from "node:crypto"
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join, relative, resolve } from "node:path"

/** The socket of the embedded database in a data folder, with the name that PostgreSQL's own tools expect. */
export const socketPath = (folder: string): string => {
  const absolute = join(resolve(folder), ".s.PGSQL.5432")
  const near = relative(process.cwd(), absolute)
  return near.length < absolute.length ? near : absolute
}

/** Another server uses this data folder. */
export class DataFolderInUse extends Schema.TaggedError<DataFolderInUse>()("DataFolderInUse", {
  message: Schema.String
}) {}

/**
 * Reserves the data folder for this process while the scope is open; the reservation of a killed process is taken over.
 */
export const acquire = (folder: string, socket: string): Effect.Effect<void, DataFolderInUse, Scope.Scope> => {
  const file = join(folder, "server.pid")
  const take = Effect.try({
    // Two containers may each have a process of the same number.
    try: () => writeFileSync(file, `${process.pid} ${randomUUID()}`, { flag: "wx" }),
    catch: () =>
      new DataFolderInUse({ message: `The data folder ${folder} belongs to a server that is running or just starting` })
  })
  const takeOver = Effect.fnUntraced(function*(error: DataFolderInUse) {
    const stale = contentOf(file)
    if (isStarting(file) || (yield* answers(socket)) || !removed(file, stale)) return yield* error
    yield* take
    rmSync(socket, { force: true })
  })
  return Effect.asVoid(Effect.acquireRelease(
    Effect.catch(take, takeOver),
    () => Effect.sync(() => rmSync(file, { force: true }))
  ))
}

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

const contentOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}

// Another process that found the same leftover may have taken the folder over already; then its file is put back.
const removed = (file: string, stale: string | undefined): boolean => {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
  } catch {
    return true
  }
  const isStale = contentOf(aside) === stale
  try {
    if (!isStale) linkSync(aside, file)
  } finally {
    rmSync(aside)
  }
  return isStale
}

// A server opens its socket a few seconds after it has reserved the folder; until then only its process shows that it
// runs.
const startingMillis = 30_000

const isStarting = (file: string): boolean => {
  try {
    const pid = Number.parseInt(readFileSync(file, "utf8"), 10)
    return pid !== process.pid && Date.now() - statSync(file).mtimeMs < startingMillis && process.kill(pid, 0)
  } catch {
    return false
  }
}
