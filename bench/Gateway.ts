import { Effect } from "effect"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { documented } from "../test/support/Gateway.ts"
import * as Processes from "./Processes.ts"

/** A call as nginx wrote it down: what it was, what was answered, who asked, and which servers were asked about it. */
export interface Logged {
  /** In milliseconds since 1970. */
  readonly at: number
  readonly method: string
  readonly target: string
  readonly status: number
  readonly caller: string
  /** Ports in the order in which they were asked, the last of which has answered. */
  readonly askedPorts: ReadonlyArray<number>
}

/** A call tells by this header who makes it, so that the log does not have to believe what is being proven. */
export const callerHeader = "x-caller"

/**
 * nginx with the configuration of docs/gateway.md before an API that answers everything, and servers that it asks with
 * `auth_request`. Profiles are Slotkey's own.
 */
export const serve = Effect.fnUntraced(function*(port: number, servers: ReadonlyArray<number>) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "slotkey-bench-gateway-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  // The workers of an nginx that was started by root run as another user.
  chmodSync(folder, 0o777)
  const api = yield* Processes.freePort
  const [log, errors, file] = [join(folder, "calls"), join(folder, "errors"), join(folder, "nginx.conf")]
  const server = documented("gateway.md", "nginx")
    .replace("server 127.0.0.1:3000;", servers.map((each) => `server 127.0.0.1:${each} ${fallible};`).join(" "))
    .replace("127.0.0.1:8080", `127.0.0.1:${api}`)
    .replace("listen 127.0.0.1:8000;", `listen 127.0.0.1:${port}; access_log ${log} calls;`)
    .replace("auth_request /_slotkey;", "auth_request /_slotkey; auth_request_set $asked $upstream_addr;")
    .replace("location / {", "location = /v2/me { proxy_pass http://slotkey; } location / {")
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) =>
    `${name}_temp_path ${folder}/${name};`
  )
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${errors};
    events { worker_connections 2048; }
    http {
      access_log off; keepalive_requests 1000000; ${paths.join(" ")}
      log_format calls escape=json '["$msec","$request_method","$request_uri","$status","$http_x_caller","$asked","$upstream_addr"]';
      ${server}
      server { listen 127.0.0.1:${api}; location / { return 204; } }
    }`
  )
  const child = yield* Processes.start({
    command: "nginx",
    args: ["-e", errors, "-c", file],
    log: errors,
    signal: "SIGTERM"
  })
  yield* Processes.listening(child, port, errors)
  // What has no caller is an app that gets its tokens.
  return {
    log: Effect.sync(() => readFileSync(log, "utf8").trim().split("\n").map(read).filter(({ caller }) => caller !== ""))
  }
})

/** As in deploy/nginx.conf. */
const fallible = "max_fails=1 fail_timeout=2s"

const read = (line: string): Logged => {
  const [at = "", method = "", target = "", status = "", caller = "", asked = "", upstream = ""]: ReadonlyArray<
    string
  > = JSON.parse(line)
  return {
    at: Number(at) * 1000,
    method,
    target,
    status: Number(status),
    caller,
    askedPorts: (asked === "" ? upstream : asked).split(",").map((address) => Number(address.split(":")[1]))
  }
}
