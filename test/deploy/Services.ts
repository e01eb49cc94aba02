import { Context, Effect, Layer } from "effect"
import { chownSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../support/FreePort.ts"
import * as Gateway from "../support/Gateway.ts"
import { temporaryFolder } from "../support/TestDatabase.ts"
import * as TestPostgres from "../support/TestPostgres.ts"
import * as TestRedis from "../support/TestRedis.ts"
import * as TestSmtp from "../support/TestSmtp.ts"
import { interpolate, service } from "./Compose.ts"
import { environment, ofImage, read } from "./Dockerfile.ts"
import * as Image from "./Image.ts"

/**
 * The services of compose.yaml, started by hand: ours and nginx from the Dockerfile and the files in `deploy`, as the
 * image's unprivileged user; PostgreSQL, Redis and a mail catcher as the tests have them.
 */
export class Services extends Context.Service<Services, {
  readonly image: Image.Image
  /** The port of nginx. */
  readonly web: number
  /** The operator's ports of both servers and the worker. */
  readonly operators: ReadonlyArray<number>
  /** Both servers and the worker. */
  readonly processes: ReadonlyArray<Image.Container>
  readonly nginx: Image.Container
  readonly smtp: TestSmtp.TestSmtp
  /** Runs `slotkey` in the container of a server; answers the last line that it prints. */
  readonly slotkey: (args: ReadonlyArray<string>, input?: string) => Effect.Effect<string>
}>()("slotkey/test/deploy/Services") {
  static readonly layer = Layer.effect(
    Services,
    Effect.gen(function*() {
      const [image, postgres, redis, smtp] = yield* Effect.all(
        [Image.build, TestPostgres.make, TestRedis.make, TestSmtp.make],
        { concurrency: "unbounded" }
      )
      const web = yield* freePort
      const secrets = {
        POSTGRES_PASSWORD: "one",
        REDIS_PASSWORD: "two",
        MASTER_KEY: Buffer.alloc(32, 7).toString("base64url"),
        DASHBOARD_PASSWORD: "a password for jobs",
        BASE_URL: `http://localhost:${web}`
      }
      const addresses = { DATABASE_URL: postgres.url, REDIS_URL: redis.url, SMTP_URL: smtp.url }

      /** Starts one of our services with its environment, on ports of this machine, and waits until it is healthy. */
      const start = Effect.fnUntraced(function*(name: string) {
        const { command, environment: given = {}, healthcheck } = service(name)
        const [port, operator] = [yield* freePort, yield* freePort]
        const env: Record<string, string> = {
          ...Object.fromEntries(Object.entries(given).map(([key, value]) => [key, interpolate(value, secrets)])),
          ...addresses,
          HOST: "127.0.0.1",
          PORT: String(port),
          OPERATOR_HOST: "127.0.0.1",
          OPERATOR_PORT: String(operator),
          WORKER_PORT: String(operator)
        }
        const process = yield* image.start(command ?? JSON.parse(ofImage("CMD")[0] ?? "[]"), env)
        yield* process.until(listens(operator))
        const check = healthcheck.test.slice(1)
          .map((word) => word.replaceAll(`:${environment["OPERATOR_PORT"]}/`, `:${operator}/`))
        yield* process.until(
          Effect.scoped(Effect.flatMap(image.start(check, env), ({ ended }) => Effect.map(ended, (code) => code === 0)))
        )
        return { env, operator, port, process }
      })

      const servers = yield* Effect.forEach(["server-1", "server-2"], start, { concurrency: "unbounded" })
      const worker = yield* start("worker")
      const nginx = yield* startNginx(image, web, servers.map(({ port }) => port))
      return Services.of({
        image,
        web,
        operators: [...servers, worker].map(({ operator }) => operator),
        processes: [...servers, worker].map(({ process }) => process),
        nginx,
        smtp,
        slotkey: (args, input) =>
          Effect.scoped(Effect.gen(function*() {
            const command = yield* image.start(["slotkey", ...args], servers[0]?.env ?? {}, input)
            const code = yield* command.ended
            if (code !== 0) return yield* Effect.die(new Error(command.output()))
            return command.printed().trim().split("\n").at(-1) ?? ""
          }))
      })
    })
  )
}

const listens = (port: number) => Effect.orElseSucceed(Effect.as(Gateway.send(port, "/"), true), () => false)

/** Starts nginx with its configuration, in which the names of the servers are replaced by their addresses here. */
const startNginx = Effect.fnUntraced(function*(image: Image.Image, web: number, servers: ReadonlyArray<number>) {
  const folder = yield* temporaryFolder
  chownSync(folder, Image.user, Image.user)
  const file = join(folder, "nginx.conf")
  writeFileSync(
    file,
    read("deploy/nginx.conf").replaceAll("/tmp/", `${folder}/`)
      .replace("listen 8080;", `listen 127.0.0.1:${web};`)
      .replace("worker_processes auto;", "worker_processes 1;")
      .replaceAll(/server-(\d):3000 resolve/g, (_, number: string) => `127.0.0.1:${servers[Number(number) - 1]}`)
  )
  const { entrypoint = [] } = service("nginx")
  const container = yield* image.start(
    entrypoint.map((word) => word === "/etc/slotkey/nginx.conf" ? file : word),
    {}
  )
  yield* container.until(listens(web))
  return container
})
