import { Effect, type Scope } from "effect"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { eventually } from "./Eventually.ts"
import { freePort } from "./FreePort.ts"

/** A PostgreSQL server that a test can start and kill. */
export interface TestPostgres {
  readonly url: string
  /** Folder of the server's socket. */
  readonly folder: string
  readonly port: number
  readonly start: Effect.Effect<void>
  /**
   * Starts the server on its data as a standby that never gets any more: read-only, or one that lets nobody in, as
   * while it recovers.
   */
  readonly startStandby: (mode: "read-only" | "closed") => Effect.Effect<void>
  /** Runs statements as the superuser. */
  readonly administer: (...statements: ReadonlyArray<string>) => Effect.Effect<void>
  /** Ends the server as a crash would: committed data survives. */
  readonly kill: Effect.Effect<void>
  /** Ends all its processes at once, as a machine that fails does. */
  readonly killAll: Effect.Effect<void>
  /** Runs the effect while all its processes stand still; connections stay open. */
  readonly stalled: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** A standby that replicates a server. */
export interface TestStandby extends TestPostgres {
  /** Makes it the primary. */
  readonly promote: Effect.Effect<void>
}

const debian = "/usr/lib/postgresql"
const folder = process.env["POSTGRES_BIN"] ??
  (existsSync(debian)
    ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)).map((v) => join(debian, v, "bin"))[0]
    : "")
/** Folder of PostgreSQL's programs. */
export const programs = folder ?? ""
const binary = (name: string) => join(programs, name)

/** User who runs servers: PostgreSQL and PgBouncer refuse to run as root. */
export const user = ((): { readonly uid?: number; readonly gid?: number } | undefined => {
  if (process.getuid?.() !== 0) return {}
  try {
    const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { stdio: "pipe" }).toString())
    return { uid: id("-u"), gid: id("-g") }
  } catch {
    return undefined
  }
})()

/** Why suites that kill PostgreSQL cannot run on this machine, if there is one. */
export const missing: string | undefined = existsSync(binary("initdb")) && user !== undefined
  ? undefined
  : "skipped: there are no server programs of PostgreSQL on this machine (POSTGRES_BIN names their folder)"

export const make: Effect.Effect<TestPostgres, never, Scope.Scope> = Effect.gen(function*() {
  const data = yield* serverFolder
  yield* run("initdb", ["-D", data, "-A", "trust", "-U", "postgres", "--no-sync"], data)
  const server = yield* serverOn(data)
  yield* server.start
  return server
})

/** A standby of the server, for which each commit waits: what was answered outlives the server. */
export const standbyOf = Effect.fnUntraced(function*(
  primary: TestPostgres
): Effect.fn.Return<TestStandby, never, Scope.Scope> {
  const data = yield* serverFolder
  yield* run("pg_basebackup", ["-D", data, "-d", primary.url, "-R", "--checkpoint=fast", "--no-sync"], data)
  const server = yield* serverOn(data, "cluster_name=standby")
  yield* server.startStandby("read-only")
  yield* primary.administer("ALTER SYSTEM SET synchronous_standby_names = 'standby'", "SELECT pg_reload_conf()")
  const isSynchronous = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
  yield* eventually(Effect.map(query(primary.url, isSynchronous), (rows) => rows.length === 1))
  const isPrimary = Effect.map(
    query(server.url, "SELECT 1 WHERE NOT pg_is_in_recovery()"),
    (rows) => rows.length === 1
  )
  // A session that waited for the promotion would hold a snapshot, with which the end of the recovery may be in
  // conflict.
  const promote = Effect.andThen(server.administer("SELECT pg_promote(wait => false)"), eventually(isPrimary))
  return { ...server, promote }
})

/** Number of sessions whose commit waits for a standby. */
export const waitingCommits = ({ url }: TestPostgres): Effect.Effect<number> =>
  Effect.map(query(url, "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'"), ({ length }) => length)

/** Runs a client program of PostgreSQL, such as `pg_dump`. */
export const runClient = (name: string, ...args: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.sync(() => execFileSync(binary(name), args, { stdio: "pipe" }))

/** A new folder of the user who runs the server. */
export const serverFolder = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "slotkey-pg-"))
    if (user?.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
    return folder
  }),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const run = (name: string, args: ReadonlyArray<string>, cwd: string) =>
  Effect.sync(() => execFileSync(binary(name), args, { stdio: "ignore", cwd, ...user }))

/** Server on a data folder; it is ended when the scope closes. */
const serverOn = Effect.fnUntraced(function*(data: string, ...always: ReadonlyArray<string>) {
  const port = yield* freePort
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let server: ChildProcess | undefined
  const spawnServer = (...settings: ReadonlyArray<string>) =>
    Effect.sync(() => {
      server = spawn(
        binary("postgres"),
        ["listen_addresses=127.0.0.1", "fsync=off", ...always, ...settings].reduce<ReadonlyArray<string>>(
          (all, setting) => [...all, "-c", setting],
          ["-D", data, "-p", String(port), "-k", data]
        ),
        { stdio: "ignore", cwd: data, ...user }
      )
    })
  const standbySignal = join(data, "standby.signal")
  // A server that starts refuses clients before it has read what it is to be, so the file stays until the next start.
  const start = Effect.sync(() => rmSync(standbySignal, { force: true })).pipe(
    Effect.andThen(spawnServer()),
    Effect.andThen(eventually(answers(url)))
  )
  const startStandby = (mode: "read-only" | "closed") =>
    Effect.sync(() => writeFileSync(standbySignal, "")).pipe(
      Effect.andThen(spawnServer(`hot_standby=${mode === "read-only" ? "on" : "off"}`)),
      Effect.andThen(eventually(mode === "read-only" ? answers(url) : refuses(url, "57P03")))
    )
  const administer = (...statements: ReadonlyArray<string>) => Effect.asVoid(query(url, ...statements))
  const kill = Effect.promise(async () => {
    if (server === undefined || server.exitCode !== null) return
    const gone = once(server, "exit")
    // SIGQUIT is an immediate shutdown: connections are cut, nothing is written, and the next start recovers.
    server.kill("SIGQUIT")
    await gone
    server = undefined
  })
  const killAll = Effect.promise(async () => {
    const pid = server?.pid
    if (server === undefined || pid === undefined || server.exitCode !== null) return
    const gone = once(server, "exit")
    signalAll(pid, "SIGKILL")
    await gone
    server = undefined
  })
  const signal = (name: "SIGSTOP" | "SIGCONT") =>
    Effect.sync(() => {
      if (server?.pid !== undefined) signalAll(server.pid, name)
    })
  const stalled = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(signal("SIGSTOP"), () => effect, () => signal("SIGCONT"))
  yield* Effect.addFinalizer(() => kill)
  return { url, folder: data, port, start, startStandby, administer, kill, killAll, stalled } satisfies TestPostgres
})

/** Sends the signal to the server and its children, which are in process groups of their own. */
const signalAll = (pid: number, signal: "SIGKILL" | "SIGSTOP" | "SIGCONT") => {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")
  for (const child of [String(pid), ...children]) {
    try {
      process.kill(Number(child), signal)
    } catch {
      // It has ended by itself meanwhile.
    }
  }
}

/** Runs statements on a connection of their own; answers the rows of all. */
export const query = (url: string, ...statements: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const client = new pg.Client(url)
    try {
      await client.connect()
      const rows: Array<unknown> = []
      for (const statement of statements) rows.push(...(await client.query(statement)).rows)
      return rows
    } finally {
      await client.end()
    }
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

/** Tells whether the server lets clients in. */
export const answers = (url: string) => refuses(url, undefined)
