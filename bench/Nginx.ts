import { Effect } from "effect"
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
}

/** Starts nginx before the servers; it lives as long as the scope. */
export const serve = Effect.fnUntraced(function*(servers: ReadonlyArray<number>) {
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
  writeFileSync(
    file,
    configuration({ folder, port, servers })
      // nginx closes a connection after a thousand requests, and the load would send the next one on it.
      .replace("client_max_body_size", "keepalive_requests 1000000; client_max_body_size")
  )
  const child = yield* Processes.start({
    command: "nginx",
    args: ["-e", log, "-c", file],
    log,
    signal: "SIGTERM"
  })
  yield* Processes.listening(child, port, log)
  const nginx: Nginx = { pid: child.pid ?? 0, port }
  return nginx
})
