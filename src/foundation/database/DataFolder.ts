import { Effect, Schema, type Scope } from "effect"
import { randomUUID } from "node:crypto"
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join, relative, resolve } from "node:path"

/** Where the embedded database of a data folder listens; named as PostgreSQL's own tools expect it. */
export const socketPath = (folder: string): string => {
  const absolute = join(resolve(folder), ".s.PGSQL.5432")
  const near = relative(process.cwd(), absolute)
  return near.length < absolute.length ? near : absolute
}

/** Another server works in this data folder. */
export class DataFolderInUse extends Schema.TaggedError<DataFolderInUse>()("DataFolderInUse", {
  message: Schema.String
}) {}

/** Holds the data folder for this process while the scope is open; what a killed process left behind is taken over. */
export const acquire = (folder: string, socket: string): Effect.Effect<void, DataFolderInUse, Scope.Scope> => {
  const file = join(folder, "server.pid")
  const take = Effect.try({
    // Processes of two containers may have the same number.
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

/** Whether somebody accepts connections on the socket. */
export const answers = (socket: string): Effect.Effect<boolean> =>
  Effect.callback<boolean>((resume) => {
    const connection = connect(socket)
    const settle = (answer: boolean) => {
      connection.destroy()
      resume(Effect.succeed(answer))
    }
    connection.once("connect", () => settle(true))
    connection.once("error", () => settle(false))
    return Effect.sync(() => connection.destroy())
  })

const contentOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}

// Of two processes that find the same leftover one may have taken the folder over already: its file goes back.
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

// Between taking the folder and opening the socket a server needs a few seconds, in which only its process tells of it.
const startingMillis = 30_000

const isStarting = (file: string): boolean => {
  try {
    const pid = Number.parseInt(readFileSync(file, "utf8"), 10)
    return pid !== process.pid && Date.now() - statSync(file).mtimeMs < startingMillis && process.kill(pid, 0)
  } catch {
    return false
  }
}
