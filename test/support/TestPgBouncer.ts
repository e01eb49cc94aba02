import { Effect, type Scope } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { eventually } from "./Eventually.ts"
import { freePort } from "./FreePort.ts"
import * as TestPostgres from "./TestPostgres.ts"

// Debian keeps it where only root looks for programs.
const binary = process.env["PGBOUNCER"] ?? "/usr/sbin/pgbouncer"

const hasBinary = (() => {
  try {
    execFileSync(binary, ["--version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()

/** The reason why suites behind PgBouncer cannot run on this machine, if there is one. */
export const missing: string | undefined = TestPostgres.missing ??
  (hasBinary ? undefined : `skipped: there is no ${binary} on this machine`)

/** Connections to PostgreSQL that PgBouncer gives to transactions in turn. */
export const poolSize = 3

/** Starts PgBouncer in transaction mode, with these lines of configuration, before the server, and returns its URL. */
export const before = Effect.fnUntraced(function*(
  server: TestPostgres.TestPostgres,
  ...lines: ReadonlyArray<string>
): Effect.fn.Return<string, never, Scope.Scope> {
  const folder = yield* TestPostgres.serverFolder
  const port = yield* freePort
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const file = join(folder, "pgbouncer.ini")
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      writeFileSync(file, config(server.port, port, ...lines))
      return spawn(binary, [file], { stdio: "ignore", cwd: folder, ...TestPostgres.user })
    }),
    (bouncer) =>
      Effect.promise(async () => {
        const gone = once(bouncer, "exit")
        if (bouncer.kill("SIGKILL")) await gone
      })
  )
  yield* eventually(TestPostgres.answers(url))
  return url
})

const config = (to: number, port: number, ...lines: ReadonlyArray<string>) => `
[databases]
postgres = host=127.0.0.1 port=${to} user=postgres

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 200
${lines.join("\n")}
`
