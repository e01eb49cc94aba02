import { Effect, type Scope } from "effect"
import { execFile, execFileSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import pg from "pg"
import { freePort } from "../../test/support/FreePort.ts"
import * as Program from "./Program.ts"

/** A PostgreSQL server of a world, on a data folder of its own. */
export interface Cluster extends Program.Program {
  readonly port: number
  readonly data: string
  readonly url: string
  /** Flags with which PostgreSQL's own programs reach it as the superuser. */
  readonly flags: ReadonlyArray<string>
  /** Runs statements as the superuser, on a connection that no fault touches. */
  readonly ask: (statement: string) => Effect.Effect<ReadonlyArray<Record<string, unknown>>>
}

/** Role and the database of the servers; a role that is no superuser, so that limits count for it. */
export const role = "slotkey"

/** A server on a data folder that exists; settings as `name=value`. */
export const make = (options: {
  readonly name: string
  readonly folder: string
  readonly data: string
  readonly settings?: ReadonlyArray<string>
}): Effect.Effect<Cluster, never, Scope.Scope> =>
  Effect.gen(function*() {
    const port = yield* freePort
    const settings = [
      "listen_addresses=127.0.0.1",
      `port=${port}`,
      `unix_socket_directories=${options.folder}`,
      // A killed process loses nothing that was written; only a fallen machine would, and none falls here.
      "fsync=off",
      "shared_buffers=64MB",
      "max_connections=80",
      "log_min_messages=warning",
      ...(options.settings ?? [])
    ]
    const program = yield* Program.make({
      name: options.name,
      command: join(binaries, "postgres"),
      args: ["-D", options.data, ...settings.flatMap((setting) => ["-c", setting])],
      cwd: options.folder,
      log: join(options.folder, `${options.name}.log`),
      user,
      ready: Effect.promise(() => query(superuser(port), "SELECT 1").then(() => true, () => false))
    })
    return {
      ...program,
      port,
      data: options.data,
      flags: ["-h", "127.0.0.1", "-p", String(port), "-U", "postgres"],
      url: `postgres://${role}@127.0.0.1:${port}/${role}`,
      ask: (statement) => Effect.promise(() => query(superuser(port), statement))
    }
  })

/** Runs one of PostgreSQL's programs to its end, as the user of the server. */
export const run = (name: string, args: ReadonlyArray<string>, cwd: string): Effect.Effect<void> =>
  Effect.callback((resume) => {
    execFile(join(binaries, name), args, { cwd, ...user }, (error, _, complaint) => {
      resume(error === null ? Effect.void : Effect.die(new Error(`${name}: ${complaint}`)))
    })
  })

const superuser = (port: number) => `postgres://postgres@127.0.0.1:${port}/${role}`

const query = async (connectionString: string, statement: string) => {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000, query_timeout: 30_000 })
  client.on("error", () => {})
  try {
    await client.connect()
    const result: pg.QueryResult<Record<string, unknown>> = await client.query(statement)
    return result.rows
  } finally {
    await client.end().catch(() => {})
  }
}

/** Folder of PostgreSQL's programs. */
const binaries = (() => {
  const root = "/usr/lib/postgresql"
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  return process.env["POSTGRES_BIN"] ?? join(root, versions[0] ?? "", "bin")
})()

/** PostgreSQL refuses to run as root. */
export const user = (() => {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }))
  return { uid: id("-u"), gid: id("-g") }
})()
