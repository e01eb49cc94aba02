import { Context, Effect, Layer } from "effect"
import { chownSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Nginx from "../../bench/Nginx.ts"
import { eventually } from "../support/Eventually.ts"
import { freePort } from "../support/FreePort.ts"
import * as Gateway from "../support/Gateway.ts"
import { temporaryFolder } from "../support/TestDatabase.ts"
import * as TestPostgres from "../support/TestPostgres.ts"
import * as TestSmtp from "../support/TestSmtp.ts"
import { interpolate, service } from "./Compose.ts"
import { command, environment, read } from "./Dockerfile.ts"
import * as Image from "./Image.ts"

/**
 * The services of docker-compose.yml, started by hand as the image's unprivileged user, with the commands, environments
 * and health checks of the file: ours as the Dockerfile makes them, Redis, nginx and Prometheus as Debian has them.
 * PostgreSQL and the mail catcher are those of the tests, because their images start them.
 */
export class Services extends Context.Service<Services, {
  readonly image: Image.Image
  readonly postgres: TestPostgres.TestPostgres
  /** Runs statements in the database of the services. */
  readonly database: (...statements: ReadonlyArray<string>) => Effect.Effect<void>
  /** Port of nginx. */
  readonly web: number
  /** Port of Prometheus. */
  readonly prometheus: number
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
      const [image, postgres, smtp] = yield* Effect.all([Image.build, startPostgres, TestSmtp.make], {
        concurrency: "unbounded"
      })
      yield* healthy(image, "postgres", {}, { PGPORT: String(postgres.port) })
      const redis = yield* startRedis(image)
      const web = yield* freePort
      const addresses = {
        "postgres:5432": `127.0.0.1:${postgres.port}`,
        "redis:6379": `127.0.0.1:${redis}`,
        "mail:1025": new URL(smtp.url).host,
        "http://localhost:3000": `http://localhost:${web}`
      }

      /** Starts one of our services, on ports of this machine. */
      const startOurs = Effect.fnUntraced(function*(name: string) {
        const [port, operator] = [yield* freePort, yield* freePort]
        const ports = { HOST: "127.0.0.1", PORT: port, OPERATOR_HOST: "127.0.0.1", OPERATOR_PORT: operator }
        const replaced = { ...addresses, [`:${environment["OPERATOR_PORT"]}/`]: `:${operator}/` }
        // A stop with its delay has a test of its own.
        const changed = { ...ports, WORKER_PORT: operator, DRAIN_DELAY: "0 seconds", ...migration }
        const own = Object.fromEntries(Object.entries(changed).map(([key, value]) => [key, String(value)]))
        const container = yield* start(image, name, service(name).command ?? command, replaced, operator, own)
        return { container, env: { ...environmentOf(name, replaced), ...own }, operator, port }
      })

      const [server, other, worker] = yield* Effect.all(
        [startOurs("server-1"), startOurs("server-2"), startOurs("worker")],
        { concurrency: "unbounded" }
      )
      const [nginx, prometheus] = yield* Effect.all([
        startNginx(image, web, [server.port, other.port]),
        startPrometheus(image, { "server-1": server.operator, "server-2": other.operator, worker: worker.operator })
      ], { concurrency: "unbounded" })
      return Services.of({
        image,
        postgres,
        database: (...statements) =>
          TestPostgres.runClient(
            "psql",
            `postgres://postgres@127.0.0.1:${postgres.port}/slotkey`,
            "--set=ON_ERROR_STOP=1",
            ...statements.map((statement) => `--command=${statement}`)
          ),
        web,
        prometheus,
        processes: [server, other, worker].map(({ container }) => container),
        nginx,
        smtp,
        slotkey: (args, input) =>
          Effect.scoped(Effect.gen(function*() {
            const command = yield* image.start(["slotkey", ...args], server.env, input)
            const code = yield* command.ended
            if (code !== 0) return yield* Effect.die(new Error(command.output()))
            return command.printed().trim().split("\n").at(-1) ?? ""
          }))
      })
    })
  )
}

/** Texts of the file with what stands for them here: addresses, ports, folders. */
type Replaced = Readonly<Record<string, string>>

const secrets = {
  POSTGRES_PASSWORD: "one",
  REDIS_PASSWORD: "two",
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64url"),
  DASHBOARD_PASSWORD: "a password for jobs"
}

/** What counts questions to a previous server is there as long as one may be asked. */
const migration = {
  LEGACY_INTROSPECTION_URL: "http://127.0.0.1:9/introspect",
  LEGACY_INTROSPECTION_CLIENT_ID: "slotkey",
  LEGACY_INTROSPECTION_CLIENT_SECRET: "three",
  LEGACY_INTROSPECTION_UNTIL: "2099-01-01"
}

const replace = (text: string, replaced: Replaced) =>
  Object.entries(replaced).reduce((all, [from, to]) => all.replaceAll(from, to), interpolate(text, secrets))

const environmentOf = (name: string, replaced: Replaced): Record<string, string> =>
  Object.fromEntries(
    Object.entries(service(name).environment ?? {}).map(([key, value]) => [key, replace(value, replaced)])
  )

/** Starts a service with its command, and waits until it listens and is healthy. */
const start = Effect.fnUntraced(function*(
  image: Image.Image,
  name: string,
  words: ReadonlyArray<string>,
  replaced: Replaced,
  port: number,
  own: Readonly<Record<string, string>> = {}
) {
  const env = { ...environmentOf(name, replaced), ...own }
  const container = yield* image.start(words.map((word) => replace(word, replaced)), env)
  yield* container.until(listens(port))
  yield* healthy(image, name, replaced, env)
  return container
})

const listens = (port: number) => Effect.orElseSucceed(Effect.as(Gateway.send(port, "/"), true), () => false)

/** Waits until the health check of a service succeeds. */
const healthy = (image: Image.Image, name: string, replaced: Replaced, env: Readonly<Record<string, string>>) => {
  const [, ...words] = service(name).healthcheck.test
  const check = image.start(words.map((word) => replace(word, replaced)), env)
  return eventually(Effect.scoped(Effect.flatMap(check, ({ ended }) => Effect.map(ended, (code) => code === 0))))
}

/** PostgreSQL with a database that belongs to the role of the file, which here is no superuser. */
const startPostgres = Effect.tap(
  TestPostgres.make,
  ({ administer }) => administer("CREATE ROLE slotkey LOGIN", "CREATE DATABASE slotkey OWNER slotkey")
)

const startRedis = Effect.fnUntraced(function*(image: Image.Image) {
  const [folder, port] = [yield* ownFolder, yield* freePort]
  const replaced = {
    "redis-server": `redis-server --port ${port} --bind 127.0.0.1 --dir ${folder}`,
    "127.0.0.1:6379": `127.0.0.1:${port}`
  }
  const env = environmentOf("redis", {})
  yield* image.start((service("redis").command ?? []).map((word) => replace(word, replaced)), env)
  yield* healthy(image, "redis", replaced, env)
  return port
})

const startNginx = Effect.fnUntraced(
  function*(image: Image.Image, web: number, servers: ReadonlyArray<number>) {
    const folder = yield* ownFolder
    const file = join(folder, "nginx.conf")
    writeFileSync(file, Nginx.configuration({ folder, port: web, servers }))
    const { entrypoint = [] } = service("nginx")
    return yield* start(image, "nginx", entrypoint, {
      "/etc/slotkey/nginx.conf": file,
      "127.0.0.1:8080": `127.0.0.1:${web}`
    }, web)
  }
)

/** Starts Prometheus, which asks every second here; answers its port. */
const startPrometheus = Effect.fnUntraced(function*(image: Image.Image, operators: Readonly<Record<string, number>>) {
  const [folder, port] = [yield* ownFolder, yield* freePort]
  const own = { "/etc/prometheus/": `${folder}/` }
  writeFileSync(
    join(folder, "prometheus.yml"),
    replace(read("deploy/prometheus.yml"), own).replaceAll(/\b1?5s\b/g, "1s")
      .replaceAll(/"([\w-]+):\d+"/g, (_, name: string) => `"127.0.0.1:${operators[name]}"`)
  )
  writeFileSync(join(folder, "rules.yml"), read("docs/operations/rules.yml"))
  const { command = [] } = service("prometheus")
  yield* start(
    image,
    "prometheus",
    ["prometheus", ...command, `--web.listen-address=127.0.0.1:${port}`],
    { ...own, "=/prometheus": `=${folder}/data`, "127.0.0.1:9090": `127.0.0.1:${port}` },
    port
  )
  return port
})

/** A folder of the user as whom the services run. */
const ownFolder = Effect.tap(temporaryFolder, (folder) => Effect.sync(() => chownSync(folder, Image.user, Image.user)))
