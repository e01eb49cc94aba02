// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import { writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { Catalogue } from "../../../src/domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { crmCatalogue } from "../../support/CrmCatalogue.ts"
import { temporaryFolder } from "../../support/TestDatabase.ts"

const read = (env: Readonly<Record<string, string>>) =>
  AppConfig.pipe(
    Effect.provide(AppConfig.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(env)))))
  )

const problems = (env: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(read(env)), (error) => error.problems)

describe("The settings", () => {
  it.effect("have a default each, the addresses of the server following from one another", () =>
    Effect.gen(function*() {
      const settings = yield* read({ PORT: "4000", ISSUER: "https://issuer.test" })
      assert.strictEqual(settings.baseUrl, "http://localhost:4000")
      assert.strictEqual(settings.authUrl, "http://localhost:4000")
      assert.strictEqual(settings.issuer, "https://issuer.test")
      assert.strictEqual(settings.database._tag, "Embedded")
      assert.isTrue(Option.isNone(settings.masterKey))
      assert.strictEqual(Duration.toMillis(settings.codeLifetime), 60_000)
    }))

  it.effect("take schemes that an app may have to itself, and none that a browser runs, opens or sends", () =>
    Effect.gen(function*() {
      const taken = yield* read({ REDIRECT_SCHEMES: "cursor, vscode  raycast" })
      assert.deepStrictEqual([...taken.redirectSchemes], ["cursor", "vscode", "raycast"])
      assert.deepStrictEqual([...(yield* read({})).redirectSchemes], [])
      const never = [
        "http",
        "https",
        "javascript",
        "data",
        "blob",
        "file",
        "intent",
        "about",
        "JavaScript",
        "ws",
        "mailto"
      ]
      for (const scheme of [...never, "cursor:", "cursor://", "Cursor", "com.example.app", "1app", "*"]) {
        assert.match(
          String(yield* problems({ REDIRECT_SCHEMES: `vscode ${scheme}` })),
          /^REDIRECT_SCHEMES must be/,
          scheme
        )
      }
    }))

  it.live("bring the catalogue that they name, or say all that is wrong with it beside all else", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "crm.json")
      const namesWith = (env: Readonly<Record<string, string>>) =>
        Effect.map(Catalogue, ({ names }) => names.length).pipe(
          Effect.provide(AppConfig.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(env)))))
        )
      writeFileSync(file, JSON.stringify(crmCatalogue))
      assert.strictEqual(yield* namesWith({ CATALOGUE: file }), 12)
      assert.strictEqual(yield* namesWith({}), 46)
      writeFileSync(file, "{}")
      const [port, catalogue = ""] = yield* problems({ PORT: "http", CATALOGUE: file })
      assert.match(port ?? "", /^PORT must be/)
      assert.match(catalogue, /^CATALOGUE: .*crm\.json is not usable:\n {4}line 1, format: is required\n/)
      assert.match(String(yield* problems({ CATALOGUE: `${file}.gone` })), /cannot be read: ENOENT/)
    }))

  it.effect("say where the base address of vitest comes from", () =>
    Effect.gen(function*() {
      const [rule, reason, ...others] = yield* problems({ BASE_URL: "/" })
      assert.match(rule ?? "", /^BASE_URL must be/)
      assert.match(reason ?? "", /vitest/)
      assert.deepStrictEqual(others, [])
      assert.lengthOf(yield* problems({ BASE_URL: "api.example.com" }), 1)
    }))

  it.effect("give a server that a proxy may stand before the time to leave it", () =>
    Effect.gen(function*() {
      const server = {
        DATABASE_URL: "postgres://db.test/slotkey",
        MASTER_KEY: Buffer.alloc(32).toString("base64")
      }
      for (const [env, seconds] of [[{}, 0], [server, 5], [{ ...server, DRAIN_DELAY: "7 seconds" }, 7]] as const) {
        assert.strictEqual(Duration.toSeconds((yield* read(env)).drainDelay), seconds)
      }
    }))

  it.effect("know the dashboard where the server itself has it, or where it is said to be", () =>
    Effect.gen(function*() {
      const apart = { DATABASE_URL: "postgres://db.test/slotkey", MASTER_KEY: Buffer.alloc(32).toString("base64") }
      const said = { DASHBOARD_URL: "http://jobs.test:3001/queues" }
      const cases = [
        [{}, "/queues"],
        [apart, undefined],
        [{ ...apart, ...said }, said.DASHBOARD_URL],
        [said, said.DASHBOARD_URL]
      ] as const
      for (const [env, url] of cases) {
        assert.strictEqual(Option.getOrUndefined((yield* read(env)).dashboardUrl), url)
      }
    }))

  it.effect("have as many processes serve as there are cores, where the database can be shared", () =>
    Effect.gen(function*() {
      const server = { DATABASE_URL: "postgres://db.test/slotkey", MASTER_KEY: Buffer.alloc(32).toString("base64") }
      const processes = (env: Readonly<Record<string, string>>) =>
        Effect.map(read(env), (settings) => settings.serverProcesses)
      assert.strictEqual(yield* processes(server), 1)
      assert.strictEqual(yield* processes({ ...server, SERVER_PROCESSES: "3" }), 3)
      assert.strictEqual(yield* processes({ ...server, SERVER_PROCESSES: "auto" }), availableParallelism())
      assert.strictEqual(yield* processes({ SERVER_PROCESSES: "auto" }), 1)
      assert.deepStrictEqual(yield* problems({ SERVER_PROCESSES: "2" }), [
        "SERVER_PROCESSES above 1 needs DATABASE_URL: the embedded database lives in the one process that serves"
      ])
      for (const SERVER_PROCESSES of ["0", "all", "2.5", "257"]) {
        assert.deepStrictEqual(yield* problems({ ...server, SERVER_PROCESSES }), [
          "SERVER_PROCESSES must be: number of processes, 1 to 256, or auto"
        ])
      }
    }))

  it.effect("are reported with every mistake at once, and no value is repeated", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(
        yield* problems({
          PORT: "hunter2",
          AUTH_URL: "http://hunter2.test",
          DATABASE_URL: "postgres://hunter2,other:hunter2/slotkey",
          DATABASE_POOLER: "hunter2",
          REDIS_URL: "postgres://hunter2",
          MASTER_KEY: "hunter2",
          CODE_LIFETIME: "11 minutes",
          TRUSTED_PROXIES: "-1",
          DASHBOARD_PASSWORD: "hunter2"
        }),
        [
          "PORT must be: TCP port, 0 for any that is free",
          "AUTH_URL must be: https address (http on loopback), no trailing slash",
          "DATABASE_URL must be: postgres:// address with one or several hosts, as libpq reads it",
          "DATABASE_POOLER must be: transaction",
          "REDIS_URL must be: redis:// or rediss:// address",
          "MASTER_KEY must be: 32 bytes in base64",
          "DASHBOARD_PASSWORD must be: at least 12 characters",
          "CODE_LIFETIME must be: duration, 1 second to 10 minutes",
          "TRUSTED_PROXIES must be: number of proxies, 0 to 10"
        ]
      )
    }))

  it.effect("name no address by http, off this machine, from which keys or claims of users come", () =>
    Effect.gen(function*() {
      for (const name of ["OIDC_ISSUER", "HANDOVER_URL", "PROXY_JWKS_URL"]) {
        assert.deepStrictEqual(yield* problems({ [name]: "http://keys.corp.example/jwks" }), [
          `${name} must be: https address (http on loopback)`
        ])
      }
      const { proxyJwksUrl } = yield* read({ PROXY_JWKS_URL: "http://127.0.0.1:8080/jwks" })
      assert.deepStrictEqual(proxyJwksUrl, Option.some("http://127.0.0.1:8080/jwks"))
    }))

  it.effect("that are missing are told with the variables that look like a misspelled setting", () =>
    Effect.gen(function*() {
      const { message } = yield* Effect.flip(read({ DATABASE_URL: "postgres://db.test/slotkey", MASTERKEY: "hunter2" }))
      assert.deepStrictEqual(message.split("\n").slice(2), [
        "  MASTERKEY is no setting and has no effect. Call it MASTER_KEY if that is meant."
      ])
      assert.match(message, /^The settings are not usable:\n {2}MASTER_KEY is required with DATABASE_URL/)
    }))

  it.effect("put the operator's port above the server's, where there is room", () =>
    Effect.gen(function*() {
      const operatorPort = (env: Readonly<Record<string, string>>) => Effect.map(read(env), (s) => s.operatorPort)
      assert.strictEqual(yield* operatorPort({}), 3010)
      assert.strictEqual(yield* operatorPort({ PORT: "65525" }), 65535)
      assert.strictEqual(yield* operatorPort({ PORT: "65530", OPERATOR_PORT: "9090" }), 9090)
      assert.strictEqual(yield* operatorPort({ PORT: "0", BASE_URL: "https://a.test" }), 0)
      assert.deepStrictEqual(yield* problems({ PORT: "65526" }), [
        "OPERATOR_PORT is required with a PORT above 65525: TCP port, 0 for any that is free"
      ])
      assert.deepStrictEqual(yield* problems({ PORT: "0" }), [
        "BASE_URL is required with PORT 0: https address (http on loopback), no trailing slash"
      ])
    }))

  it.effect("of a test are its own, beside those of another layer", () =>
    Effect.gen(function*() {
      const database = Layer.effectDiscard(AppConfig).pipe(Layer.provide(AppConfig.layerTest({ PORT: "4000" })))
      const { port } = yield* AppConfig.pipe(
        Effect.provide(AppConfig.layerTest({ PORT: "5000" }).pipe(Layer.provideMerge(database)))
      )
      assert.strictEqual(port, 5000)
    }))

  it.effect("take base addresses over https or on loopback alone, to which a path can be appended", () =>
    Effect.gen(function*() {
      for (const url of ["https://a.test", "https://a.test/api", "http://localhost:3000", "http://[::1]"]) {
        assert.strictEqual((yield* read({ BASE_URL: url })).baseUrl, url)
      }
      const wrong = [
        "a.test",
        "http://a.test",
        "https://a.test/",
        "https://a.test//",
        "https://a.test?q",
        "https://u:p@a.test"
      ]
      for (const url of [...wrong, "https://a.test#f", "ftp://a.test"]) {
        assert.lengthOf(yield* problems({ BASE_URL: url }), 1, url)
      }
    }))

  it.effect("take one mail address as the sender, with a name or without", () =>
    Effect.gen(function*() {
      const right = [
        "slotkey@example.test",
        "<slotkey@example.test>",
        "Slotkey <slotkey@example.test>",
        "\"Slotkey, Inc.\" <slotkey@example.test>",
        "\"a \\\" b\" <slotkey@example.test>",
        "Zoë <zoë@exämple.test>",
        "Slotkey <slotkey@localhost>"
      ]
      for (const from of right) assert.deepStrictEqual((yield* read({ MAIL_FROM: from })).mailFrom, Option.some(from))
      const wrong = [
        "Slotkey",
        "slotkey@",
        "@example.test",
        "Slotkey slotkey@example.test",
        "Slotkey <slotkey>",
        "Slotkey <slotkey@example.test",
        // What follows the comma would be the address, and the sender empty.
        "Slotkey, Inc. <slotkey@example.test>",
        "a@example.test, b@example.test",
        "Slotkey <slotkey@example.test>\r\nBcc: all@example.test",
        "Slotkey <slotkey@example .test>"
      ]
      for (const from of wrong) {
        assert.deepStrictEqual(yield* problems({ MAIL_FROM: from }), [
          "MAIL_FROM must be: mail address, with a name or without"
        ], from)
      }
    }))

  it.effect("take Sentinels as hosts with or without a port, and nothing else", () =>
    Effect.gen(function*() {
      const redis = { REDIS_URL: "redis://the-master" }
      const { redisSentinels } = yield* read({ ...redis, REDIS_SENTINELS: "a.test, 10.0.0.1:1234,[::1]:5" })
      assert.deepStrictEqual(Option.getOrThrow(redisSentinels), [
        { host: "a.test", port: 26_379 },
        { host: "10.0.0.1", port: 1234 },
        { host: "::1", port: 5 }
      ])
      for (const wrong of ["a.test,", "u:p@a.test", "redis://a.test", "a.test/0", "a.test:x"]) {
        assert.lengthOf(yield* problems({ ...redis, REDIS_SENTINELS: wrong }), 1, wrong)
      }
      assert.lengthOf(yield* problems({ REDIS_SENTINELS: "a.test" }), 1)
    }))

  it.effect("take one or two long keys of the platform, and name what a way to sign in requires", () =>
    Effect.gen(function*() {
      const [first, second] = ["a".repeat(32), "b".repeat(40)]
      const page = { SIGN_IN: "local, handover", HANDOVER_URL: "https://platform.test/login" }
      const { handoverKey } = yield* read({ ...page, HANDOVER_KEY: `${first}, ${second}` })
      assert.deepStrictEqual(Option.getOrThrow(handoverKey).map(Redacted.value), [first, second])
      for (const wrong of ["a".repeat(31), `${first},short`, `${first},`, `${first},${first},${second}`]) {
        assert.deepStrictEqual(yield* problems({ ...page, HANDOVER_KEY: wrong }), [
          "HANDOVER_KEY must be: at least 32 characters, or two keys of that length, separated by a comma"
        ])
      }
      assert.lengthOf(yield* problems(page), 1)
      assert.deepStrictEqual(yield* problems({ SIGN_IN: "handover" }), [
        "HANDOVER_URL is required with SIGN_IN handover: https address (http on loopback)"
      ])
    }))

  it.effect("name those that another one requires, unless they are there and wrong", () =>
    Effect.gen(function*() {
      const webhook = { REVIEW_WEBHOOK_URL: "https://hook.test/?team=1" }
      assert.deepStrictEqual(yield* problems({ DATABASE_URL: "postgres://db.test/slotkey", ...webhook }), [
        "MASTER_KEY is required with DATABASE_URL: 32 bytes in base64",
        "REVIEW_WEBHOOK_SECRET is required with REVIEW_WEBHOOK_URL: at least 16 characters"
      ])
      assert.deepStrictEqual(yield* problems({ ...webhook, REVIEW_WEBHOOK_SECRET: "short" }), [
        "REVIEW_WEBHOOK_SECRET must be: at least 16 characters"
      ])
      assert.deepStrictEqual(yield* problems({ SIGN_IN: "oidc" }), [
        "OIDC_ISSUER is required with SIGN_IN oidc: https address (http on loopback)",
        "OIDC_CLIENT_ID is required with SIGN_IN oidc: text"
      ])
      const server = {
        DATABASE_URL: "postgres://bouncer.test/slotkey",
        MASTER_KEY: Buffer.alloc(32).toString("base64")
      }
      assert.deepStrictEqual(yield* problems({ ...server, DATABASE_POOLER: "transaction" }), [
        "DATABASE_DIRECT_URL is required with DATABASE_POOLER: postgres:// address with one or several hosts, as libpq " +
        "reads it"
      ])
      // Without the pooler a server would go to this address, and not to the one of DATABASE_URL.
      assert.deepStrictEqual(yield* problems({ ...server, DATABASE_DIRECT_URL: "postgres://db.test/slotkey" }), [
        "DATABASE_POOLER is required with DATABASE_DIRECT_URL: transaction"
      ])
      const settings = yield* read({ ...webhook, REVIEW_WEBHOOK_SECRET: "a secret of the webhook" })
      assert.deepStrictEqual(settings.reviewWebhookUrl, Option.some("https://hook.test/?team=1"))
    }))

  it.effect("name all that the asking of the previous server requires, and take no address that others can read", () =>
    Effect.gen(function*() {
      const complete = {
        LEGACY_INTROSPECTION_URL: "https://old.test/introspect",
        LEGACY_INTROSPECTION_CLIENT_ID: "slotkey",
        LEGACY_INTROSPECTION_CLIENT_SECRET: "secret",
        LEGACY_INTROSPECTION_UNTIL: "2026-11-21"
      }
      const { legacyIntrospectionUntil } = yield* read(complete)
      assert.deepStrictEqual(
        Option.map(legacyIntrospectionUntil, DateTime.formatIso),
        Option.some("2026-11-21T00:00:00.000Z")
      )
      const { LEGACY_INTROSPECTION_URL: url, ...others } = complete
      assert.deepStrictEqual(yield* problems({ LEGACY_INTROSPECTION_URL: url }), [
        "LEGACY_INTROSPECTION_CLIENT_ID is required with LEGACY_INTROSPECTION_URL: text",
        "LEGACY_INTROSPECTION_CLIENT_SECRET is required with LEGACY_INTROSPECTION_URL: text",
        "LEGACY_INTROSPECTION_UNTIL is required with LEGACY_INTROSPECTION_URL: instant such as 2026-11-21T02:30:00Z, or a day"
      ])
      for (const [name, value] of Object.entries({ ...others, LEGACY_INTROSPECTION_ISSUER: "https://people.test" })) {
        assert.deepStrictEqual(yield* problems({ [name]: value }), [
          `LEGACY_INTROSPECTION_URL is required with ${name}: https address (http on loopback)`
        ])
      }
      for (const wrong of ["http://old.test/introspect", "https://u:p@old.test/introspect", "old.test"]) {
        assert.deepStrictEqual(yield* problems({ ...complete, LEGACY_INTROSPECTION_URL: wrong }), [
          "LEGACY_INTROSPECTION_URL must be: https address (http on loopback)"
        ])
      }
      for (const wrong of ["next year", "11/12/2026", "2026-02-31"]) {
        assert.deepStrictEqual(yield* problems({ ...complete, LEGACY_INTROSPECTION_UNTIL: wrong }), [
          "LEGACY_INTROSPECTION_UNTIL must be: instant such as 2026-11-21T02:30:00Z, or a day"
        ])
      }
    }))
})
