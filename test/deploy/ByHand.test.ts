import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync, globSync, statSync } from "node:fs"
import { join } from "node:path"
import { eventually } from "../support/Eventually.ts"
import { freePort } from "../support/FreePort.ts"
import * as Gateway from "../support/Gateway.ts"
import * as TestPostgres from "../support/TestPostgres.ts"
import { command, environment, healthCommand } from "./Dockerfile.ts"
import * as Image from "./Image.ts"
import * as Prometheus from "./Prometheus.ts"
import { expressions, pageOf, rules } from "./Rules.ts"
import { Services } from "./Services.ts"

/** The suite runs once in CI, where the other suites have their servers: it takes half a minute. */
const skip = process.env["TEST_DATABASE_URL"] === undefined
  ? "skipped: it runs with TEST_DATABASE_URL only"
  : Image.missing ?? TestPostgres.missing

describe.skipIf(skip !== undefined)("The services of docker-compose.yml, by hand as an unprivileged user:", () => {
  layer(Services.layer, { excludeTestServices: true, timeout: "3 minutes" })((it) => {
    it.effect("the image has one Node, nothing for development, and nothing that its user may change", () =>
      Effect.gen(function*() {
        const { image } = yield* Services
        const app = join(image.root, "app")
        for (const path of ["node", "typescript", "vitest", ".bin/node"]) {
          assert.isFalse(existsSync(join(app, "node_modules", path)), path)
        }
        const megabytes = Number(execFileSync("du", ["-sm", app]).toString().split("\t")[0])
        // A second Node or a compiler would be more than a hundred.
        assert.isBelow(megabytes, 220)
        const others = globSync("**/*", { cwd: app, exclude: ["node_modules/**"] })
          .filter((path) => statSync(join(app, path)).uid !== 0 || (statSync(join(app, path)).mode & 0o022) !== 0)
        assert.deepStrictEqual(others, [])
      }))

    it.effect("the image alone is an embedded server, which writes to its volume and nowhere else", () =>
      Effect.gen(function*() {
        const { image } = yield* Services
        const [port, operator] = [yield* freePort, yield* freePort]
        const env = { HOST: "127.0.0.1", PORT: String(port), OPERATOR_PORT: String(operator) }
        const server = yield* image.start(command, env)
        const pages = Gateway.send(port, "/sign-in").pipe(
          Effect.map(({ status }) => status === 200),
          Effect.orElseSucceed(() => false)
        )
        yield* server.until(pages)
        const words = healthCommand.map((word) => word.replace(`:${environment["OPERATOR_PORT"]}/`, `:${operator}/`))
        const check = yield* image.start(words, env)
        assert.strictEqual(yield* check.ended, 0)
        const written = (folder: string, ...among: ReadonlyArray<string>) =>
          execFileSync("find", [folder, ...among, "-uid", String(Image.user), "-print"]).toString()
        const data = join(image.root, environment["DATA_DIR"] ?? "")
        assert.isNotEmpty(written(data))
        assert.strictEqual(written(image.root, "-path", data, "-prune", "-o"), "")
      }))

    it.effect("an app that is registered through nginx comes to an administrator by mail", () =>
      Effect.gen(function*() {
        const { database, nginx, slotkey, smtp, web } = yield* Services
        const email = "ada@example.com"
        const account = ["accounts", "create", "--email", email, "--name", "Ada", "--role", "admin", "--password-stdin"]
        yield* slotkey(account, "correct horse battery staple")
        const key = yield* slotkey(["api-keys", "create", "--email", email, "--name", "by hand"])
        const { status } = yield* Effect.promise(() =>
          fetch(`http://localhost:${web}/v2/oauth-clients`, {
            method: "POST",
            headers: {
              authorization: `Bearer ${key}`,
              "content-type": "application/json",
              "x-request-id": "by-hand-1"
            },
            body: JSON.stringify({
              kind: "confidential",
              name: "Wall display",
              purpose: "Shows the bookings of the day at the door.",
              website: "https://display.example",
              redirectUris: ["http://localhost:8765/callback"],
              scopes: ["PROFILE_READ"]
            })
          })
        )
        assert.strictEqual(status, 201)
        // Look for digests that are due, which is made every minute.
        const look = database(
          "INSERT INTO outbox (queue, subject, payload, created_at) VALUES ('review-digests', 'review-digests', '{}', now())"
        )
        const mail = () => smtp.received.find(({ message, to }) => to === email && message.includes("Wall display"))
        yield* eventually(Effect.andThen(look, Effect.sync(() => mail() !== undefined)))
        assert.include(mail()?.message, "Scopes: PROFILE_READ")
        assert.match(nginx.output(), / by-hand-1 127\.0\.0\.1 POST \/v2\/oauth-clients 201 /)
      }))

    it.effect("both servers get requests", () =>
      Effect.gen(function*() {
        const { nginx, web } = yield* Services
        yield* eventually(Effect.gen(function*() {
          yield* Gateway.send(web, "/.well-known/oauth-authorization-server")
          return new Set([...nginx.output().matchAll(/127\.0\.0\.1:\d+$/gm)].map(([address]) => address)).size === 2
        }))
      }))

    it.effect("the database takes the statements of the pages for alerts", () =>
      Effect.gen(function*() {
        const { database } = yield* Services
        const statements = rules.flatMap(({ alert }) =>
          alert === undefined
            ? []
            : [...pageOf(alert).matchAll(/\n```sql\n([\s\S]*?)```/g)].map(([, statement = ""]) => statement)
        )
        assert.isNotEmpty(statements)
        yield* database(...statements)
      }))

    it.effect("Prometheus finds what each rule, alert and panel asks for", () =>
      Effect.gen(function*() {
        const { database, postgres, prometheus, web } = yield* Services
        // Something to delete, a client that is unknown, and an answer of 5xx: what is counted from its first time on.
        yield* database(
          "INSERT INTO setup_links (digest, expires_at) VALUES ('', now() - interval '1 year')",
          "INSERT INTO outbox (queue, subject, payload, created_at) VALUES ('expiry', 'expiry', '{}', now())"
        )
        const refresh = Effect.promise(async () => {
          const { status } = await fetch(`http://localhost:${web}/v2/auth/oauth2/token`, {
            method: "POST",
            headers: { authorization: `Basic ${btoa("unknown:wrong")}` },
            body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: "wrong" })
          })
          return status
        })
        assert.strictEqual(yield* refresh, 401)
        yield* postgres.kill
        yield* eventually(Effect.map(refresh, (status) => status === 503))
        yield* postgres.start
        let left: ReadonlyArray<string> = []
        yield* eventually(Effect.gen(function*() {
          left = (yield* Effect.forEach(expressions, (expression) => Prometheus.missing(prometheus, expression))).flat()
          return left.length === 0
        })).pipe(Effect.timeoutOption("90 seconds"))
        assert.deepStrictEqual([...new Set(left)], [])
      }), 120_000)

    it.effect("each process ends by a SIGTERM, and never lacked a right to write", () =>
      Effect.gen(function*() {
        const { processes } = yield* Services
        yield* Effect.forEach(processes, ({ output, stop }) =>
          Effect.gen(function*() {
            assert.include([0, 143], yield* stop, output())
            assert.notInclude(output(), "EACCES")
          }), { concurrency: "unbounded" })
      }))
  })
})
