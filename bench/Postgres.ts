// @effect-diagnostics strictEffectProvide:off
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted, Schedule, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { execFileSync } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Processes from "./Processes.ts"

/** A PostgreSQL server that lives as long as the scope. */
export interface Postgres {
  readonly pid: number
  readonly version: string
  readonly url: (database: string) => string
  /** Makes a new, empty database that is dropped with the scope; answers its address. */
  readonly database: (name: string) => Effect.Effect<string, never, Scope.Scope>
}

/**
 * Starts the system's PostgreSQL on a temporary folder of a real disk. Commits are as durable as production wants them;
 * the other settings keep checkpoints out of a run of a minute and hold the working set in memory.
 */
export const serve = Effect.gen(function*() {
  const bin = yield* binaries
  const user = yield* owner
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "slotkey-bench-"))
      if (user !== undefined) chownSync(folder, user.uid, user.gid)
      return folder
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const data = join(folder, "data")
  yield* Effect.sync(() =>
    execFileSync(join(bin, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"], {
      stdio: ["ignore", "ignore", "inherit"],
      cwd: folder,
      ...user
    })
  )
  const port = yield* Processes.freePort
  const settings = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    "fsync=on",
    "synchronous_commit=on",
    "full_page_writes=on",
    "shared_buffers=1GB",
    "max_wal_size=8GB",
    "checkpoint_timeout=15min"
  ]
  const log = join(folder, "log")
  const child = yield* Processes.start({
    command: join(bin, "postgres"),
    args: ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
    user,
    cwd: folder,
    log,
    // The folder is deleted as well, so nothing needs to be saved.
    signal: "SIGQUIT"
  })
  yield* Processes.listening(child, port, log)
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  yield* ready(url("postgres"))
  const postgres: Postgres = {
    pid: child.pid ?? 0,
    version: execFileSync(join(bin, "postgres"), ["--version"], { encoding: "utf8" }).trim(),
    url,
    database: (name) => temporaryDatabase(url, name)
  }
  return postgres
})

/** One client for the benchmark's own statements. */
export const connect = (url: string) => PgClient.layer({ url: Redacted.make(url), maxConnections: 2 })

// The server listens a moment before it answers.
const ready = (url: string) =>
  SqlClient.SqlClient.use((sql) => sql`SELECT 1`).pipe(
    Effect.provide(connect(url)),
    Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 500 })
  )

const temporaryDatabase = (url: Postgres["url"], name: string) => {
  const administer = (statement: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
    SqlClient.SqlClient.use(statement).pipe(Effect.provide(connect(url("postgres"))), Effect.orDie)
  return Effect.acquireRelease(
    Effect.as(administer((sql) => sql`CREATE DATABASE ${sql(name)}`), url(name)),
    () => administer((sql) => sql`DROP DATABASE ${sql(name)} WITH (FORCE)`)
  )
}

const binaries = Effect.suspend(() => {
  const root = "/usr/lib/postgresql"
  const versions = existsSync(root) ? readdirSync(root).map(Number).sort((a, b) => b - a) : []
  const bin = versions.map((version) => join(root, String(version), "bin")).find((bin) =>
    existsSync(join(bin, "initdb"))
  )
  return bin === undefined
    ? Effect.fail(new Processes.ProcessError({ message: `No PostgreSQL server below ${root}: apt install postgresql` }))
    : Effect.succeed(bin)
})

// PostgreSQL refuses to run as root.
const owner = Effect.sync(() => {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }))
  return { uid: id("-u"), gid: id("-g") }
})
