import { Effect, type Scope } from "effect"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import pg from "pg"
import { freePort } from "../../test/support/FreePort.ts"
import { role, user } from "./Cluster.ts"
import * as Program from "./Program.ts"

/** Debian's PgBouncer before PostgreSQL, in transaction mode. */
export interface Pooler extends Program.Program {
  readonly port: number
}

export const make = (folder: string, to: number): Effect.Effect<Pooler, never, Scope.Scope> =>
  Effect.gen(function*() {
    const port = yield* freePort
    const home = join(folder, "pgbouncer")
    yield* Effect.sync(() => {
      mkdirSync(home)
      // It refuses to run as root.
      chmodSync(home, 0o777)
      writeFileSync(join(home, "users.txt"), `"${role}" ""\n`)
      writeFileSync(
        join(home, "pgbouncer.ini"),
        [
          "[databases]",
          `* = host=127.0.0.1 port=${to}`,
          "[pgbouncer]",
          "listen_addr = 127.0.0.1",
          `listen_port = ${port}`,
          "unix_socket_dir =",
          "auth_type = trust",
          `auth_file = ${join(home, "users.txt")}`,
          "pool_mode = transaction",
          // By default it waits for 15 s after PostgreSQL has refused a connection.
          "server_login_retry = 1",
          "default_pool_size = 10",
          "max_client_conn = 200"
        ].join("\n")
      )
    })
    const program = yield* Program.make({
      name: "pgbouncer",
      command: "/usr/sbin/pgbouncer",
      args: [join(home, "pgbouncer.ini")],
      cwd: home,
      log: join(folder, "pgbouncer.log"),
      user,
      ready: Effect.promise(() => connects(port))
    })
    return { ...program, port }
  })

const connects = async (port: number): Promise<boolean> => {
  const client = new pg.Client({ host: "127.0.0.1", port, user: role, database: role })
  client.on("error", () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
