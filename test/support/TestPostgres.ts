import { Effect, type Scope } from "effect"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { eventually } from "./Eventually.ts"
import { freePort } from "./FreePort.ts"

/** A PostgreSQL server that a test can start and kill. */
export interface TestPostgres {
  readonly url: string
  readonly start: Effect.Effect<void>
  /**
   * Starts the server on its data as a standby that never gets any more: read-only, or one that lets nobody in, as while
   * it recovers.
   */
  readonly startStandby: (mode: "read-only" | "closed") => Effect.Effect<void>
  /** Runs statements as the superuser. */
  readonly administer: (...statements: ReadonlyArray<string>) => Effect.Effect<void>
  /** Ends the server as a crash would: committed data survives. */
  readonly kill: Effect.Effect<void>
}

const debian = "/usr/lib/postgresql"
const folder = process.env["POSTGRES_BIN"] ??
  (existsSync(debian)
    ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)).map((v) => join(debian, v, "bin"))[0]
    : "")
const binary = (name: string) => join(folder ?? "", name)

// PostgreSQL refuses to run as root.
const user = ((): { readonly uid?: number; readonly gid?: number } | undefined => {
  if (process.getuid?.() !== 0) return {}
  try {
    const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { stdio: "pipe" }).toString())
    return { uid: id("-u"), gid: id("-g") }
  } catch {
    return undefined
  }
})()

/** The reason why suites that kill PostgreSQL cannot run on this machine, if there is one. */
export const missing: string | undefined = existsSync(binary("initdb")) && user !== undefined
  ? undefined
  : "skipped: there are no server programs of PostgreSQL on this machine (POSTGRES_BIN names their folder)"

export const make: Effect.Effect<TestPostgres, never, Scope.Scope> = Effect.gen(function*() {
  const data = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "slotkey-pg-"))
      if (user?.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
      return folder
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const port = yield* freePort
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  yield* Effect.sync(() =>
    execFileSync(binary("initdb"), ["-D", data, "-A", "trust", "-U", "postgres", "--no-sync"], {
      stdio: "ignore",
      cwd: data,
      ...user
    })
  )
  let server: ChildProcess | undefined
  const spawnServer = (...settings: ReadonlyArray<string>) =>
    Effect.sync(() => {
      server = spawn(
        binary("postgres"),
        ["listen_addresses=127.0.0.1", "fsync=off", ...settings].reduce<ReadonlyArray<string>>(
          (all, setting) => [...all, "-c", setting],
          ["-D", data, "-p", String(port), "-k", data]
        ),
        { stdio: "ignore", cwd: data, ...user }
      )
    })
  const standbySignal = join(data, "standby.signal")
  const start = Effect.sync(() => rmSync(standbySignal, { force: true })).pipe(
    Effect.andThen(spawnServer()),
    Effect.andThen(eventually(answers(url)))
  )
  const startStandby = (mode: "read-only" | "closed") =>
    Effect.sync(() => writeFileSync(standbySignal, "")).pipe(
      Effect.andThen(spawnServer(`hot_standby=${mode === "read-only" ? "on" : "off"}`)),
      Effect.andThen(eventually(mode === "read-only" ? answers(url) : refuses(url, "57P03")))
    )
  const administer = (...statements: ReadonlyArray<string>) =>
    Effect.promise(async () => {
      const client = new pg.Client(url)
      await client.connect()
      for (const statement of statements) await client.query(statement)
      await client.end()
    })
  const kill = Effect.promise(async () => {
    if (server === undefined || server.exitCode !== null) return
    const gone = once(server, "exit")
    // SIGQUIT is an immediate shutdown: connections are cut, nothing is written, and the next start recovers.
    server.kill("SIGQUIT")
    await gone
    server = undefined
  })
  yield* Effect.acquireRelease(start, () => kill)
  return { url, start, startStandby, administer, kill }
})

/** Tells whether a connection ends with this SQLSTATE; `undefined` stands for one that succeeds. */
const refuses = (url: string, state: string | undefined): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    const client = new pg.Client(url)
    client.on("error", () => {})
    try {
      await client.connect()
      await client.end()
      return state === undefined
    } catch (error) {
      return error instanceof pg.DatabaseError && error.code === state
    }
  })

const answers = (url: string) => refuses(url, undefined)
