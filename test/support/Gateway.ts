import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer, Schedule } from "effect"
import { HttpRouter } from "effect/http"
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type IncomingHttpHeaders, request } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { freePort } from "./FreePort.ts"
import { temporaryFolder } from "./TestDatabase.ts"

/** True if journeys through this gateway can run here, or must (`TEST_NO_SKIP`): then they fail without it. */
export const isAvailable = (program: string): boolean =>
  process.env["TEST_NO_SKIP"] === "1" || spawnSync("sh", ["-c", `command -v ${program}`]).status === 0

/** First code block in this language in a page of the docs, so that the tests run what is documented. */
export const documented = (page: string, language: string): string => {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8")
  const block = new RegExp(`\n\`\`\`${language}\n(.*?)\n\`\`\``, "s").exec(text)?.[1]
  if (block === undefined) throw new Error(`docs/${page} has no ${language} block`)
  return block
}

/** Serves routes on a free port of the loopback interface. */
export const listen = <A, E, R>(routes: Layer.Layer<A, E, R>) =>
  Effect.gen(function*() {
    const server = createServer()
    yield* Layer.build(
      HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
        Layer.provideMerge(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" }))
      )
    )
    return (server.address() as AddressInfo).port
  })

/** A request as it reached the API behind the gateway. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
}

/** API behind the gateway, which answers with the request that it received. Answers its port. */
export const upstream = Effect.acquireRelease(
  Effect.callback<ReturnType<typeof createServer>>((resume) => {
    const server = createServer(({ headers, method = "", url = "" }, response) => {
      response.setHeader("content-type", "application/json").end(JSON.stringify({ method, url, headers }))
    })
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) =>
    Effect.sync(() => {
      server.closeAllConnections()
      server.close()
    })
).pipe(Effect.map((server) => (server.address() as AddressInfo).port))

/** Starts a program, which is stopped when the scope closes. */
export const run = (program: string, args: ReadonlyArray<string>, cwd: string) =>
  Effect.acquireRelease(
    Effect.map(Effect.context<never>(), (context) => {
      const child = spawn(program, args, {
        cwd,
        stdio: ["ignore", "ignore", "pipe"],
        env: { PATH: process.env["PATH"], HOME: cwd }
      })
      // Vitest shows it if the test fails.
      const log = Effect.runForkWith(context)
      child.stderr.on("data", (chunk: Buffer) => void log(Effect.logWarning(`${program}: ${chunk}`)))
      return child
    }),
    (child) =>
      Effect.callback<void>((resume) => {
        if (child.exitCode !== null) return resume(Effect.void)
        child.once("exit", () => resume(Effect.void))
        child.kill("SIGTERM")
      })
  )

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: ReadonlyArray<string>
  readonly body: string
}

/** Starts nginx with the configuration of docs/gateway.md in front of the two ports, and answers its own port. */
export const nginx = Effect.fnUntraced(function*(ports: { readonly slotkey: number; readonly platform: number }) {
  const port = yield* freePort
  const server = documented("gateway.md", "nginx")
    .replace("127.0.0.1:3000", `127.0.0.1:${ports.slotkey}`)
    .replace("127.0.0.1:8080", `127.0.0.1:${ports.platform}`)
    .replace("127.0.0.1:8000", `127.0.0.1:${port}`)
  yield* startNginx(server, port)
  return port
})

/** Starts nginx with its own limits on headers, as most have it, in front of the whole server. */
export const plainNginx = (port: number, slotkey: number) =>
  startNginx(
    `server {
      listen 127.0.0.1:${port};
      location / {
        proxy_pass http://127.0.0.1:${slotkey};
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      }
    }`,
    port
  )

/** Starts nginx with these servers, of which one has this port. */
export const startNginx = Effect.fnUntraced(function*(server: string, port: number) {
  const folder = yield* temporaryFolder
  // The workers of an nginx that was started by root run as another user.
  mkdirSync(join(folder, "tmp"), { mode: 0o777 })
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/tmp/${name};`).join("\n")
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
    events {} http { access_log off; ${temporary} ${server} }`
  )
  yield* run("nginx", ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")], folder)
  yield* answering(port)
})

/** Sends a request without normalizing its target, as `fetch` would. */
export const send = (
  port: number,
  path: string,
  headers: Record<string, string | ReadonlyArray<string>> = {},
  method = "GET"
) =>
  Effect.callback<Answer, Error>((resume) => {
    const call = request(
      { host: "127.0.0.1", port, path, method, headers: headers as Record<string, string> },
      (response) => {
        let body = ""
        response.setEncoding("utf8").on("data", (chunk: string) => body += chunk).on("end", () =>
          resume(Effect.succeed({
            status: response.statusCode ?? 0,
            headers: response.headers,
            rawHeaders: response.rawHeaders,
            body
          })))
      }
    )
    call.on("error", (error) => resume(Effect.fail(error))).end()
  })

/** Waits until a server answers on the port. */
export const answering = (port: number) =>
  send(port, "/").pipe(Effect.retry(Schedule.max([Schedule.spaced("50 millis"), Schedule.recurs(200)])), Effect.orDie)
