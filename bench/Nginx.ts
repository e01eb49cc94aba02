import { Effect, Schedule } from "effect"
import { spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Processes from "./Processes.ts"

/** `deploy/nginx.conf` for servers on ports of this machine; what nginx writes goes to the folder. */
export const configuration = (options: {
  readonly folder: string
  readonly port: number
  /** Ports of the servers. */
  readonly servers: ReadonlyArray<number>
}): string =>
  readFileSync(new URL("../deploy/nginx.conf", import.meta.url), "utf8")
    .replaceAll("/tmp/", `${options.folder}/`)
    .replace("listen 8080;", `listen 127.0.0.1:${options.port};`)
    .replace("worker_processes auto;", "worker_processes 1;")
    // The addresses are known; an nginx before 1.27.3 resolves names at its start only.
    .replace(
      /(?: *server server-\d:3000 resolve (.*)\n)+/,
      (_, settings: string) => options.servers.map((port) => `    server 127.0.0.1:${port} ${settings}\n`).join("")
    )

export interface Nginx {
  readonly pid: number
  readonly port: number
  /** Sends no more requests to the server on this port, or to all again, once those under way are answered. */
  readonly avoid: (server?: number) => Effect.Effect<void>
}

/**
 * Starts nginx before the servers; it lives as long as the scope. One that should avoid servers closes the idle
 * connections of its clients each time, and a request that is on its way on one is lost: so it should keep none.
 */
export const serve = Effect.fnUntraced(function*(servers: ReadonlyArray<number>, keepsClients: boolean) {
  if (spawnSync("nginx", ["-v"]).error !== undefined) {
    return yield* new Processes.ProcessError({ message: "There is no nginx: apt install nginx-light" })
  }
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "slotkey-bench-nginx-"))
      // The workers of an nginx that was started by root run as another user.
      chmodSync(folder, 0o755)
      return folder
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const port = yield* Processes.freePort
  const log = join(folder, "log")
  const file = join(folder, "nginx.conf")
  // nginx closes a connection after a thousand requests, and the load would send the next one on it.
  const keeping = keepsClients ? "keepalive_requests 1000000" : "keepalive_timeout 0"
  const all = configuration({ folder, port, servers })
    .replace("client_max_body_size", `${keeping}; client_max_body_size`)
    .replace("proxy_pass ", "add_header X-Served-By $upstream_addr always; proxy_pass ")
  writeFileSync(file, all)
  const child = yield* Processes.start({
    command: "nginx",
    args: ["-e", log, "-c", file],
    log,
    signal: "SIGTERM"
  })
  yield* Processes.listening(child, port, log)
  const workers = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim()
  const avoid = (server?: number) =>
    Effect.gen(function*() {
      const before = workers()
      writeFileSync(file, server === undefined ? all : all.replace(`127.0.0.1:${server} `, `127.0.0.1:${server} down `))
      child.kill("SIGHUP")
      // A new worker takes the place of the old one, which answers what it has.
      const replaced = Effect.sync(() => workers() !== before && !workers().includes(" "))
      yield* Effect.repeat(replaced, { until: (yes) => yes, schedule: Schedule.spaced("20 millis") })
    }).pipe(Effect.timeout("1 minute"), Effect.orDie)
  const nginx: Nginx = { pid: child.pid ?? 0, port, avoid }
  return nginx
})
