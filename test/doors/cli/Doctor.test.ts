// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { once } from "node:events"
import { existsSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { createServer as createTcpServer, type Server as TcpServer } from "node:net"
import { join } from "node:path"
import { LinkedAccounts } from "../../../src/core/accounts/linked/LinkedAccounts.ts"
import { ApiKeys } from "../../../src/core/accounts/people/ApiKeys.ts"
import { write } from "../../../src/domain/catalogue/file/WriteCatalogue.ts"
import { signInPage } from "../../../src/doors/session/SignInView.ts"
import { slotkey } from "../../support/Cli.ts"
import { crmCatalogue } from "../../support/CrmCatalogue.ts"
import { freePort } from "../../support/FreePort.ts"
import * as OidcProvider from "../../support/OidcProvider.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import * as TestPgBouncer from "../../support/TestPgBouncer.ts"
import * as TestPostgres from "../../support/TestPostgres.ts"
import * as TestSmtp from "../../support/TestSmtp.ts"
import { writtenPage } from "../../support/Written.ts"
import { besideServer } from "./Scenario.ts"

interface Found {
  readonly check: string
  readonly status: string
  readonly detail: string
  readonly cure: string | null
}

/** What the doctor finds, with the whole output. */
const doctor = Effect.fnUntraced(function*(env: Record<string, string>) {
  const { code, stderr, stdout } = yield* slotkey(["doctor", "--json"], { env })
  const { checks, status }: { readonly checks: ReadonlyArray<Found>; readonly status: string } = JSON.parse(stdout)
  for (const { check, cure, status } of checks) assert.strictEqual(cure === null, status === "ok", check)
  return { code, status, checks, output: stdout + stderr }
})

const listening = Effect.fnUntraced(function*<S extends Server | TcpServer>(server: S) {
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () => Effect.sync(() => server.close())
  )
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
})

/**
 * What is not `ok`, but for the address and the role before a database server: here are none with https, and a
 * superuser.
 */
const wrongOf = (checks: ReadonlyArray<Found>) =>
  checks.filter(({ check, detail, status }) =>
    status !== "ok" && check !== "role" && !detail.includes("no other machine reaches")
  )

/** Address of a server that shows this as its metadata. */
const metadataServer = (metadata: unknown, status = 200) =>
  Effect.map(
    listening(createServer((_, response) => response.writeHead(status).end(JSON.stringify(metadata)))),
    (port) => `http://127.0.0.1:${port}`
  )

/** Port of a server that takes connections and never says a word. */
const silent = Effect.gen(function*() {
  const server = createTcpServer()
  server.on("connection", (socket) => {
    const end = () => socket.destroy()
    socket.on("error", end)
    server.once("close", end)
  })
  return yield* listening(server)
})

/** A server that gives this answer to each command of a client of Redis. */
const redisThatAnswers = (answer: string) =>
  listening(createTcpServer((socket) => {
    socket.on("error", () => {}).on("data", (data) => {
      const commands = data.toString().match(/^\*\d/gm) ?? []
      socket.write(commands.map(() => `${answer}\r\n`).join(""))
    })
  }))

const away = "127.0.0.1:1"
const masterKey = Buffer.alloc(32, 7).toString("base64url")

describe("slotkey doctor", () => {
  it.live(
    "finds each thing that is wrong, with a cure, and prints no secret",
    () =>
      besideServer(Effect.fnUntraced(function*({ env, json }) {
        yield* json("migrate", "up")
        const smtp = yield* TestSmtp.make
        smtp.refusedSenders.add("wrong@localhost")
        const issuer = "http://localhost:3000"
        const good = {
          ...env,
          ISSUER: issuer,
          BASE_URL: yield* metadataServer({ issuer }),
          SMTP_URL: smtp.url,
          MAIL_FROM: "slotkey@example.test"
        }
        const well = yield* doctor(good)
        assert.deepStrictEqual(wrongOf(well.checks), [])
        assert.deepStrictEqual([well.code, well.status], [0, TestDatabase.isServer ? "degraded" : "ok"])
        const names = [
          "settings",
          "database",
          "clock",
          "role",
          "schema",
          "keys",
          "catalogue",
          "ownerless-apps",
          "usage",
          "workers",
          "mail",
          "proxies",
          "base-url"
        ]
          .filter((name) => !["role", "workers"].includes(name) || TestDatabase.isServer)
        assert.deepStrictEqual(well.checks.map(({ check }) => check), names)

        const linked = yield* LinkedAccounts
        const identity = { issuer: "https://id.example", subject: "ada", profile: {} }
        const { id } = yield* linked.signIn({ ...identity, roles: {} })
        yield* (yield* ApiKeys).create(id, "script", id)
        yield* linked.signIn({ ...identity, roles: { administrator: true } })

        const [closed, port] = [yield* freePort, yield* silent]
        const folder = yield* TestDatabase.temporaryFolder
        const [other, broken] = [join(folder, "other.json"), join(folder, "broken.json")]
        writeFileSync(other, write(crmCatalogue))
        writeFileSync(broken, write({ ...crmCatalogue, profile: { scope: "account.raed" } }))
        const faults: ReadonlyArray<{
          readonly env: Record<string, string>
          readonly finds: Readonly<Record<string, RegExp>>
          readonly isWarning?: true
        }> = [
          { env: { CODE_LIFETME: "1 minute" }, finds: { settings: /^CODE_LIFETME is no setting/ }, isWarning: true },
          { env: { CODE_LIFETIME: "hunter2" }, finds: { settings: /^CODE_LIFETIME must be: duration/ } },
          {
            env: { MASTER_KEY: Buffer.alloc(32, 8).toString("base64url") },
            finds: { keys: /^3 of the server's keys cannot be unsealed/ }
          },
          {
            env: { CATALOGUE: broken },
            finds: {
              settings:
                /^CATALOGUE: .*broken\.json is not usable:\n.*profile\.scope: .* Call it ".*" if that is meant\.$/
            }
          },
          // A server with its database inside puts into force what it has.
          ...TestDatabase.isServer
            ? [{
              env: { CATALOGUE: other },
              finds: { catalogue: /^This process has the catalogue .*, and .* is in force\./ }
            }]
            : [],
          {
            env: {
              REDIS_URL: `redis://:hunter2@127.0.0.1:${closed}`,
              SMTP_URL: `smtp://ann:hunter2@127.0.0.1:${closed}`,
              BASE_URL: `http://127.0.0.1:${closed}`
            },
            finds: {
              jobs: /^Redis is away.*ECONNREFUSED/,
              mail: /ECONNREFUSED/,
              "base-url": /cannot be reached from here: .*ECONNREFUSED/
            }
          },
          {
            env: {
              REDIS_URL: `redis://:hunter2@127.0.0.1:${port}`,
              SMTP_URL: `smtp://ann:hunter2@127.0.0.1:${port}`,
              BASE_URL: `http://127.0.0.1:${port}`
            },
            finds: { jobs: /^(Redis is away|No answer)/, mail: /Greeting|No answer/, "base-url": /^No answer within/ }
          },
          {
            env: { REDIS_URL: `redis://:hunter2@127.0.0.1:${yield* redisThatAnswers("-WRONGPASS invalid password")}` },
            finds: { jobs: /^Redis refuses us, and jobs wait: WRONGPASS/ }
          },
          {
            env: { MAIL_FROM: "Slotkey <wrong@localhost>" },
            finds: { mail: /MAIL FROM:<wrong@localhost> was refused: 550 5\.7\.1 Sender address rejected$/ }
          },
          { env: { MAIL_FROM: "Zoë <zoë@localhost>" }, finds: { mail: /zoë@localhost needs SMTPUTF8/ } },
          { env: { BASE_URL: yield* metadataServer({}, 301) }, finds: { "base-url": / answers 301 / } },
          { env: { BASE_URL: yield* metadataServer("Welcome!") }, finds: { "base-url": /something else answers/ } },
          {
            env: { AUTH_URL: `http://127.0.0.1:${closed}` },
            finds: { "auth-url": /cannot be reached from here: .*ECONNREFUSED/ }
          },
          { env: { AUTH_URL: `http://127.0.0.1:${port}` }, finds: { "auth-url": /^No answer within/ } },
          { env: { AUTH_URL: yield* metadataServer({}, 301) }, finds: { "auth-url": / answers 301 / } },
          { env: { AUTH_URL: yield* metadataServer("Welcome!") }, finds: { "auth-url": /something else answers/ } },
          {
            env: { ADMINISTRATOR_CLAIM: "groups=admins" },
            finds: { "claimed-roles": /a claim: 1, of which 0 have lost it .* without an end: 1\.$/ },
            isWarning: true
          },
          {
            env: { ISSUER: "https://auth.example" },
            finds: { "base-url": /another issuer .*: http:\/\/localhost:3000$/ }
          }
        ]
        for (const { env, finds, isWarning } of faults) {
          const { checks, code, output } = yield* doctor({ ...good, ...env })
          const wrong = wrongOf(checks)
          assert.deepStrictEqual(wrong.map(({ check }) => check), Object.keys(finds))
          for (const { check, detail, status } of wrong) {
            assert.match(detail, finds[check] ?? /^$/)
            assert.strictEqual(status, isWarning ? "degraded" : "failed")
          }
          assert.strictEqual(code, isWarning ? 0 : 1)
          assert.notInclude(output, "hunter2")
        }
        const own = (yield* doctor({ ...good, CATALOGUE: other })).checks.find(({ check }) => check === "catalogue")
        assert.include(own?.detail, TestDatabase.isServer ? ", by slotkey." : "puts its own into force when it starts.")
        const signIn = writtenPage(signInPage({
          returnTo: "/",
          formWaits: false,
          app: undefined,
          methods: [],
          hasPasswords: true,
          canReset: true
        }))
        const pages = yield* listening(createServer((_, response) => response.end(signIn)))
        const apart = yield* doctor({ ...good, AUTH_URL: `http://127.0.0.1:${pages}` })
        assert.deepStrictEqual([wrongOf(apart.checks), apart.checks.at(-1)?.check], [[], "auth-url"])
        const elsewhere = {
          SIGN_IN: "handover",
          HANDOVER_URL: "https://platform.example/login",
          HANDOVER_KEY: Buffer.alloc(32, 1).toString("base64url")
        }
        const onward = { ...elsewhere, AUTH_URL: yield* metadataServer({}, 303) }
        assert.deepStrictEqual(wrongOf((yield* doctor({ ...good, ...onward })).checks), [])
        assert.strictEqual((yield* doctor({ ...good, ...onward, SIGN_IN: "local" })).status, "failed")
        const misspelled = yield* doctor({ ...good, CODE_LIFETME: "1 minute" })
        assert.strictEqual(misspelled.checks[0]?.cure, "Call it CODE_LIFETIME if that is meant.")
      })),
    180_000
  )

  it.live("asks the database through the pooler, too", () =>
    Effect.gen(function*() {
      const ports = [yield* freePort, yield* silent]
      for (const [index, says] of [/^127\.0\.0\.1:\d+ refuses us/, /^127\.0\.0\.1:\d+ does not answer\.$/].entries()) {
        const { checks, code, output } = yield* doctor({
          BASE_URL: `http://${away}`,
          MASTER_KEY: masterKey,
          DATABASE_POOLER: "transaction",
          DATABASE_URL: `postgres://slotkey:hunter2@127.0.0.1:${ports[index]}/slotkey`,
          DATABASE_DIRECT_URL: `postgres://slotkey:hunter2@${away}/slotkey`
        })
        const pooler = checks.find(({ check }) => check === "pooler")
        assert.deepStrictEqual([code, pooler?.status], [1, "failed"])
        assert.match(pooler?.detail ?? "", says)
        assert.notInclude(output, "hunter2")
      }
    }), 120_000)

  it.live("finds nothing wrong with a pooler that answers", (context) =>
    Effect.gen(function*() {
      if (TestPgBouncer.missing !== undefined) return context.skip(TestPgBouncer.missing)
      const postgres = yield* TestPostgres.make
      const { checks } = yield* doctor({
        BASE_URL: `http://${away}`,
        MASTER_KEY: masterKey,
        DATABASE_POOLER: "transaction",
        DATABASE_URL: yield* TestPgBouncer.before(postgres),
        DATABASE_DIRECT_URL: postgres.url
      })
      assert.strictEqual(checks.find(({ check }) => check === "pooler")?.status, "ok")
    }), 120_000)

  it.live("says that the database is away, and nothing of what is in it", () =>
    Effect.gen(function*() {
      const port = yield* silent
      for (const host of [away, `127.0.0.1:${port}`]) {
        const { checks, code, output } = yield* doctor({
          DATABASE_URL: `postgres://slotkey:hunter2@${host}/slotkey`,
          MASTER_KEY: Buffer.alloc(32, 7).toString("base64url"),
          TOKEN_TIMEOUT: "1 second"
        })
        assert.strictEqual(code, 1)
        assert.deepStrictEqual(checks.map(({ check }) => check), [
          "settings",
          "database",
          "mail",
          "proxies",
          "base-url"
        ])
        assert.strictEqual(checks[1]?.status, "failed")
        assert.notInclude(output, "hunter2")
      }
    }), 120_000)

  it.live("asks whom people sign in at, and names the setting where that fails", () =>
    Effect.gen(function*() {
      const [closed, port] = [yield* freePort, yield* silent]
      const provider = yield* OidcProvider.make
      const discovery = "/.well-known/openid-configuration"
      const proxied = (jwksUrl: string) => ({
        SIGN_IN: "proxy",
        PROXY_HEADER: "x-assertion",
        PROXY_JWKS_URL: jwksUrl,
        PROXY_ISSUER: "https://proxy.example",
        PROXY_AUDIENCE: "https://auth.example"
      })
      const signIn = Effect.fnUntraced(function*(env: Record<string, string>) {
        const { checks } = yield* doctor({ DATA_DIR: "/nowhere", BASE_URL: `http://${away}`, ...env })
        const [found, ...more] = checks.filter(({ check }) => check === "sign-in")
        assert.deepStrictEqual(more, [])
        return found
      })
      assert.isUndefined(yield* signIn({}))
      provider.register("http://localhost:3000")
      const well = [
        provider.settings,
        proxied(yield* metadataServer({ keys: [{ kty: "OKP", crv: "Ed25519", x: "x" }] }))
      ]
      for (const env of well) assert.strictEqual((yield* signIn(env))?.status, "ok")

      provider.faults.set(discovery, (_, response) => void response.writeHead(404).end())
      const oidc = yield* signIn(provider.settings)
      const metadata = JSON.stringify({ issuer: "https://other.example" })
      const json = { "content-type": "application/json" }
      provider.faults.set(discovery, (_, response) => void response.writeHead(200, json).end(metadata))
      const other = yield* signIn(provider.settings)
      for (
        const [found, says, setting] of [
          [oidc, /cannot be used: .*404/, /OIDC_ISSUER/],
          [other, /cannot be used: .*issuer.*does not match/, /OIDC_ISSUER/],
          [
            yield* signIn({ ...provider.settings, OIDC_ISSUER: `http://127.0.0.1:${closed}` }),
            /ECONNREFUSED/,
            /OIDC_ISSUER/
          ],
          [
            yield* signIn({ ...provider.settings, OIDC_ISSUER: `http://127.0.0.1:${port}` }),
            /no answer/,
            /OIDC_ISSUER/
          ],
          [yield* signIn(proxied(`http://127.0.0.1:${closed}`)), /cannot be read: .*ECONNREFUSED/, /PROXY_JWKS_URL/],
          [yield* signIn(proxied(`http://127.0.0.1:${port}`)), /cannot be read: /, /PROXY_JWKS_URL/],
          [yield* signIn(proxied(yield* metadataServer("Welcome!"))), /cannot be read: /, /PROXY_JWKS_URL/],
          [yield* signIn(proxied(yield* metadataServer({ keys: [] }))), /there is none/, /PROXY_JWKS_URL/]
        ] as const
      ) {
        assert.strictEqual(found?.status, "degraded")
        assert.match(found?.detail ?? "", says)
        assert.match(found?.cure ?? "", setting)
      }
    }), 120_000)

  it.live("finds what a deployment with a database server has forgotten", (context) =>
    Effect.gen(function*() {
      if (TestPostgres.missing !== undefined) return context.skip(TestPostgres.missing)
      const { url } = yield* TestPostgres.make
      const issuer = "http://localhost:3000"
      const env = {
        DATABASE_URL: url,
        MASTER_KEY: masterKey,
        ISSUER: issuer,
        BASE_URL: yield* metadataServer({ issuer })
      }
      yield* slotkey(["migrate", "up"], { env })
      const found = (name: string) =>
        Effect.map(doctor(env), ({ checks }) => {
          const { cure, detail, status } = checks.find(({ check }) => check === name) ?? assert.fail(name)
          return [status, detail, cure]
        })
      assert.strictEqual((yield* found("mail"))[2], "Set SMTP_URL and MAIL_FROM for servers and workers.")
      const [status, detail, cure] = yield* found("base-url")
      assert.strictEqual(status, "degraded")
      assert.include(detail, "which no other machine reaches")
      assert.match(cure ?? "", /^Set BASE_URL /)

      const change = (statement: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
        Effect.flatMap(SqlClient.SqlClient, statement).pipe(Effect.provide(TestDatabase.at(url)), Effect.orDie)
      const publish = (minutes: number, seen: number | null) =>
        change((sql) =>
          sql`INSERT INTO outbox (queue, subject, payload, created_at, enqueued_at)
            VALUES ('expiry', ${`s-${minutes}`}, '{}', now() - ${minutes} * interval '1 minute',
              now() - ${seen}::int * interval '1 minute')`
        )
      yield* publish(1, null)
      // A worker has seen it in its queue a minute ago, where it is tried again.
      yield* publish(600, 1)
      assert.strictEqual((yield* found("workers"))[0], "ok")
      yield* publish(20, 19)
      const passedOn = yield* found("workers")
      assert.deepStrictEqual(passedOn.slice(0, 2), [
        "degraded",
        "A job is 20 minutes old, and no worker looks for it."
      ])
      assert.match(passedOn[2] ?? "", /^Start one: slotkey work\./)
      yield* change((sql) => sql`DELETE FROM outbox`)
      yield* publish(30, null)
      assert.match((yield* found("workers"))[1] ?? "", /^A job is 30 minutes old/)
    }), 120_000)

  it.live("has the cure of what it found with the database", () =>
    Effect.gen(function*() {
      const server = yield* TestDatabase.temporaryServerUrl
      if (server === undefined) return
      const url = new URL(Redacted.value(server))
      url.pathname = "/nothing"
      const { checks } = yield* doctor({ DATABASE_URL: url.href, MASTER_KEY: masterKey })
      const database = checks.find(({ check }) => check === "database")
      assert.match(database?.detail ?? "", /^The database refuses connections of this server\. \(.*"nothing"/)
      assert.match(database?.cure ?? "", /^Check the user, the password and the database in DATABASE_URL/)
    }), 120_000)

  it.live.skipIf(TestPostgres.missing !== undefined)(
    "says that commits wait for a standby that is away",
    () =>
      Effect.gen(function*() {
        const primary = yield* TestPostgres.make
        const env = { DATABASE_URL: primary.url, MASTER_KEY: masterKey, BASE_URL: `http://${away}` }
        yield* slotkey(["migrate", "up"], { env })
        const standby = yield* TestPostgres.standbyOf(primary)
        yield* standby.kill
        const { checks } = yield* doctor(env)
        const database = checks.find(({ check }) => check === "database")
        assert.strictEqual(database?.status, "degraded")
        assert.match(database?.detail ?? "", /^Commits of the database do not come back\./)
        assert.match(database?.cure ?? "", /SyncRep, bring the synchronous standby back/)
      }),
    120_000
  )

  it.live("makes nothing where nothing is", () =>
    Effect.gen(function*() {
      const folder = join(yield* TestDatabase.temporaryFolder, "data")
      const { checks, code } = yield* doctor({ DATA_DIR: folder, BASE_URL: `http://${away}` })
      assert.strictEqual(code, 1)
      assert.match(checks[1]?.detail ?? "", /^There is no database in .*\(DATA_DIR\)\.$/)
      assert.isFalse(existsSync(folder))
    }))
})
