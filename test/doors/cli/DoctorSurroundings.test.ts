// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chownSync, mkdirSync, writeFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { settings as known } from "../../../src/foundation/config/Settings.ts"
import { serverGuards } from "../../../src/foundation/database/PostgresClient.ts"
import { slotkey } from "../../support/Cli.ts"
import { freePort } from "../../support/FreePort.ts"
import * as PreviousServer from "../../support/PreviousServer.ts"
import * as SmallDisk from "../../support/SmallDisk.ts"
import * as TestCollector from "../../support/TestCollector.ts"
import { temporaryFolder } from "../../support/TestDatabase.ts"
import * as TestPgBouncer from "../../support/TestPgBouncer.ts"
import * as TestPostgres from "../../support/TestPostgres.ts"
import * as TestSmtp from "../../support/TestSmtp.ts"
import * as TestWebhook from "../../support/TestWebhook.ts"

interface Setting {
  readonly name: string
  readonly value: string
  readonly from: string
}

interface Found {
  readonly check: string
  readonly status: string
  readonly detail: string
  readonly cure: string | null
}

/** Nothing listens on port 1 of this machine. */
const away = "127.0.0.1:1"
const masterKey = Buffer.alloc(32, 7).toString("base64url")

/** Findings of a check; without a database, unless `env` names one. */
const found = Effect.fnUntraced(function*(name: string, env: Record<string, string>) {
  const nowhere = { DATA_DIR: "/nowhere", BASE_URL: `http://${away}`, MASTER_KEY: masterKey }
  const { stderr, stdout } = yield* slotkey(["doctor", "--json"], { env: { ...nowhere, ...env } })
  assert.notInclude(stdout + stderr, "hunter2")
  const { checks }: { readonly checks: ReadonlyArray<Found> } = JSON.parse(stdout)
  return checks.filter(({ check }) => check === name)
})

const one = (name: string, env: Record<string, string>) =>
  Effect.map(found(name, env), ([finding, ...more]) => {
    assert.deepStrictEqual(more, [])
    return finding ?? assert.fail(name)
  })

const degraded = Effect.fnUntraced(function*(name: string, env: Record<string, string>, detail: RegExp, cure: RegExp) {
  const finding = yield* one(name, env)
  assert.strictEqual(finding.status, "degraded", finding.detail)
  assert.match(finding.detail, detail)
  assert.match(finding.cure ?? "", cure)
})

describe("slotkey doctor, of what surrounds a server:", () => {
  it.live("a webhook that does not answer, without an event for one that does", () =>
    Effect.gen(function*() {
      const hook = yield* TestWebhook.make
      const at = (url: string) => ({ REVIEW_WEBHOOK_URL: url, REVIEW_WEBHOOK_SECRET: "hunter2 hunter2 hunter2" })
      assert.deepStrictEqual(yield* found("webhook", {}), [])
      for (const status of [204, 401, 404, 405]) {
        hook.status = status
        assert.strictEqual((yield* one("webhook", at(hook.url))).status, "ok")
      }
      const ofPlatform = { PLATFORM_WEBHOOK_URL: hook.url, PLATFORM_WEBHOOK_SECRET: "hunter2 hunter2 hunter2" }
      assert.strictEqual((yield* one("platform-webhook", ofPlatform)).status, "ok")
      assert.deepStrictEqual(hook.events.map(({ body }) => body), ["", "", "", "", ""])
      const cure = /^Check REVIEW_WEBHOOK_URL /
      hook.status = 502
      yield* degraded("webhook", at(hook.url), /answers 502\.$/, cure)
      hook.status = 308
      yield* degraded("webhook", at(hook.url), /answers 308, and no redirect is followed/, cure)
      const closed = `http://127.0.0.1:${yield* freePort}/hook?key=hunter2`
      yield* degraded("webhook", at(closed), /cannot be reached from here: .*ECONNREFUSED/, cure)
      hook.answersAfter = new Promise(() => {})
      yield* degraded("webhook", at(hook.url), /^No answer within 3 s/, cure)
    }), 60_000)

  it.live("a collector of traces that takes none, sent a batch without a span", () =>
    Effect.gen(function*() {
      const collector = yield* TestCollector.make
      const at = (url: string) => ({
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        OTEL_EXPORTER_OTLP_HEADERS: "x-key=hunter2",
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        OTEL_TRACES_SAMPLER: "always_off"
      })
      assert.deepStrictEqual(yield* found("traces", {}), [])
      assert.strictEqual((yield* one("traces", at(collector.url))).status, "ok")
      const [{ body, headers, path }, ...more] = collector.requests as [(typeof collector.requests)[number]]
      assert.deepStrictEqual(more, [])
      assert.deepStrictEqual([path, body, headers["x-key"]], ["/v1/traces", "{\"resourceSpans\":[]}", "hunter2"])
      assert.deepStrictEqual(collector.spans, [])
      const cure = /^Check OTEL_EXPORTER_OTLP_ENDPOINT/
      collector.mood = "refuses"
      yield* degraded("traces", at(collector.url), /answers 401\.$/, cure)
      const closed = `http://127.0.0.1:${yield* freePort}/?key=hunter2`
      yield* degraded("traces", at(closed), /cannot be reached from here: .*ECONNREFUSED/, cure)
      collector.mood = "stalls"
      yield* degraded("traces", at(collector.url), /^No answer within 3 s/, cure)
    }), 60_000)

  it.live("a previous server that does not answer, or that says yes to everything", () =>
    Effect.gen(function*() {
      const previous = yield* PreviousServer.make
      const env = { ...previous.settings, LEGACY_INTROSPECTION_CLIENT_SECRET: "hunter2" }
      assert.deepStrictEqual(yield* found("previous-server", {}), [])
      const { detail, status } = yield* one("previous-server", env)
      assert.deepStrictEqual([status, detail], ["ok", "The previous server answers, until 2100-01-01T00:00:00.000Z."])
      const cure = /^Check LEGACY_INTROSPECTION_URL /
      for (
        const [respond, expected] of [
          [(response: ServerResponse) => void response.writeHead(401).end(), /^The previous server answers 401\.$/],
          [
            (response: ServerResponse) => PreviousServer.json(response, { active: true }),
            /made-up token that it is active/
          ],
          [(response: ServerResponse) => void response.end("<p>hunter2"), /no introspection response/]
        ] as const
      ) {
        previous.respond = (_, response) => respond(response)
        yield* degraded("previous-server", env, expected, cure)
      }
      previous.respond = () => {}
      yield* degraded("previous-server", env, /^No answer within 3 s/, cure)
      const closed = { ...env, LEGACY_INTROSPECTION_URL: `http://127.0.0.1:${yield* freePort}/introspect` }
      yield* degraded("previous-server", closed, /cannot be reached: .*ECONNREFUSED/, cure)
      const before = previous.questions.length
      const ended = yield* one("previous-server", { ...env, LEGACY_INTROSPECTION_UNTIL: "2026-01-01" })
      assert.deepStrictEqual([ended.status, ended.cure], ["ok", null])
      assert.match(ended.detail, /LEGACY_INTROSPECTION_\* can be removed/)
      assert.strictEqual(previous.questions.length, before)
    }), 60_000)

  it.live("a folder for the audit log that cannot be made or written to", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      writeFileSync(join(folder, "file"), "")
      mkdirSync(join(folder, "closed"), { mode: 0o500 })
      assert.deepStrictEqual(yield* found("audit-export", {}), [])
      for (const path of [folder, join(folder, "made", "later")]) {
        assert.strictEqual((yield* one("audit-export", { AUDIT_EXPORT_DIR: path })).status, "ok", path)
      }
      // System's own: nobody may write there, root included.
      const closed = process.getuid?.() === 0 ? "/proc/self" : join(folder, "closed")
      for (const path of [closed, join(closed, "audit"), join(folder, "file"), join(folder, "file", "audit")]) {
        yield* degraded("audit-export", { AUDIT_EXPORT_DIR: path }, /cannot be written to AUDIT_EXPORT_DIR/, /folder/)
      }
    }), 60_000)

  it.live("a proxy that is not counted", () =>
    Effect.gen(function*() {
      const https = { BASE_URL: "https://127.0.0.1:1" }
      yield* degraded("proxies", https, /ends the TLS of https:.* TRUSTED_PROXIES is 0/, /^Set TRUSTED_PROXIES/)
      yield* degraded("proxies", { AUTH_URL: "https://127.0.0.1:1" }, /TRUSTED_PROXIES is 0/, /^Set TRUSTED_PROXIES/)
      assert.strictEqual((yield* one("proxies", { ...https, TRUSTED_PROXIES: "1" })).status, "ok")
      assert.strictEqual((yield* one("proxies", {})).status, "ok")
    }), 60_000)

  it.live("a sender of mails that nobody has set, or that is no address", () =>
    Effect.gen(function*() {
      const smtp = yield* TestSmtp.make
      const env = { DATABASE_URL: `postgres://${away}/slotkey`, SMTP_URL: smtp.url }
      yield* degraded("mail", env, /MAIL_FROM is at localhost/, /^Set MAIL_FROM /)
      assert.strictEqual((yield* one("mail", { ...env, MAIL_FROM: "Slotkey <slotkey@example.test>" })).status, "ok")
      const [wrong] = yield* found("settings", { MAIL_FROM: "Slotkey" })
      assert.match(wrong?.detail ?? "", /^MAIL_FROM must be: mail address/)
    }), 60_000)

  it.live("a role that may do too much", (context) =>
    Effect.gen(function*() {
      if (TestPostgres.missing !== undefined) return context.skip(TestPostgres.missing)
      const { administer, port, url } = yield* TestPostgres.make
      yield* administer("CREATE ROLE slotkey LOGIN", "CREATE DATABASE slotkey OWNER slotkey")
      yield* degraded("role", { DATABASE_URL: url }, /is a superuser/, /owns its database/)
      const own = { DATABASE_URL: `postgres://slotkey@127.0.0.1:${port}/slotkey` }
      assert.strictEqual((yield* one("role", own)).status, "ok")
      yield* administer("REVOKE TEMPORARY ON DATABASE slotkey FROM PUBLIC, slotkey")
      assert.strictEqual((yield* one("database", own)).status, "ok", "whether there is room cannot be tried")
    }), 60_000)

  it.live("a pooler that DATABASE_POOLER does not name", (context) =>
    Effect.gen(function*() {
      if (TestPgBouncer.missing !== undefined) return context.skip(TestPgBouncer.missing)
      const postgres = yield* TestPostgres.make
      const cure = "Set DATABASE_POOLER=transaction, and DATABASE_DIRECT_URL to PostgreSQL itself (docs/failover.md)."
      const refusing = yield* TestPgBouncer.before(postgres)
      const refused = yield* one("database", { DATABASE_URL: refusing })
      assert.deepStrictEqual([refused.status, refused.cure], ["failed", cure])
      assert.match(refused.detail, /^The database is reached through a pooler .*unsupported startup parameter/)

      const parameters = Object.keys(serverGuards).join(", ")
      const ignoring = yield* TestPgBouncer.before(postgres, `ignore_startup_parameters = ${parameters}`)
      const ignored = yield* one("pooler", { DATABASE_URL: ignoring })
      assert.deepStrictEqual([ignored.status, ignored.cure], ["degraded", cure])
      assert.match(ignored.detail, /^DATABASE_URL is a pooler/)

      const named = { DATABASE_POOLER: "transaction", DATABASE_URL: refusing }
      assert.strictEqual((yield* one("pooler", { ...named, DATABASE_DIRECT_URL: postgres.url })).status, "ok")
      const both = yield* found("pooler", { ...named, DATABASE_DIRECT_URL: ignoring })
      assert.match(both.find(({ status }) => status !== "ok")?.detail ?? "", /^DATABASE_DIRECT_URL is a pooler/)
      assert.deepStrictEqual(yield* found("pooler", { DATABASE_URL: postgres.url }), [])
    }), 60_000)

  it.live(
    "a disk of the database that is full, though there is room in the pages of its tables",
    (context) =>
      Effect.gen(function*() {
        if (TestPostgres.missing !== undefined) return context.skip(TestPostgres.missing)
        if (process.getuid?.() !== 0) return context.skip("skipped: only root may mount a small disk")
        const { administer, port } = yield* TestPostgres.make
        const disk = join(yield* TestPostgres.serverFolder, "small")
        yield* SmallDisk.mount(disk, 24)
        chownSync(disk, TestPostgres.user?.uid ?? 0, TestPostgres.user?.gid ?? 0)
        yield* administer(
          `CREATE TABLESPACE small LOCATION '${disk}'`,
          "CREATE ROLE slotkey LOGIN",
          "CREATE DATABASE slotkey OWNER slotkey TABLESPACE small"
        )
        const env = { DATABASE_URL: `postgres://slotkey@127.0.0.1:${port}/slotkey` }
        assert.strictEqual((yield* one("database", env)).status, "ok")
        yield* Effect.scoped(Effect.gen(function*() {
          yield* SmallDisk.fill(disk)
          const full = yield* one("database", env)
          assert.strictEqual(full.status, "failed")
          assert.match(full.detail, /^The disk of the database is full\..*No space left on device/)
          assert.strictEqual(full.cure, "Make room on it.")
        }))
        assert.strictEqual((yield* one("database", env)).status, "ok")
      }),
    60_000
  )

  it.live("its settings, each with what gave it, and no secret", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      writeFileSync(join(folder, "key"), `${Buffer.from("hunter2".padEnd(32)).toString("base64")}\n`)
      const env = {
        PORT: "4000",
        DATABASE_URL: "postgres://slotkey:hunter2@db1.test,db2.test/slotkey",
        MASTER_KEY_FILE: join(folder, "key"),
        REDIS_URL: "redis://:hunter2@redis.test:6380/1",
        REVIEW_WEBHOOK_URL: "https://hook.test/events?key=hunter2",
        REVIEW_WEBHOOK_SECRET: "hunter2 hunter2 hunter2",
        CODE_LIFETIME: "1 minute"
      }
      const values = Effect.fnUntraced(function*(env: Record<string, string>) {
        const { code, stderr, stdout } = yield* slotkey(["doctor", "--settings", "--json"], { env })
        assert.notInclude(stdout + stderr, "hunter2")
        assert.notInclude(stdout + stderr, Buffer.from("hunter2").toString("base64").slice(0, 8))
        const { checks, settings }: {
          readonly checks: ReadonlyArray<Found>
          readonly settings: ReadonlyArray<Setting>
        } = JSON.parse(stdout)
        assert.deepStrictEqual(settings.map(({ name }) => name), known.map(({ name }) => name))
        return { code, checks, of: (name: string) => settings.find((setting) => setting.name === name) }
      })
      const right = yield* values(env)
      assert.deepStrictEqual([right.code, right.checks.map(({ check }) => check)], [0, ["settings"]])
      for (
        const [name, value, from] of [
          ["PORT", "4000", "environment"],
          ["OPERATOR_PORT", "4010", "default"],
          ["BASE_URL", "http://localhost:4000", "default"],
          ["DATABASE_URL", "(hidden) db1.test:5432,db2.test:5432", "environment"],
          ["MASTER_KEY", "(hidden)", "file"],
          ["REDIS_URL", "(hidden) redis.test:6380", "environment"],
          ["REVIEW_WEBHOOK_URL", "https://hook.test/events?(hidden)", "environment"],
          ["REVIEW_WEBHOOK_SECRET", "(hidden)", "environment"],
          ["CODE_LIFETIME", "1 minute", "environment"],
          ["DRAIN_DELAY", "5 seconds", "default"],
          ["REFRESH_GRACE", "30 seconds", "default"]
        ] as const
      ) assert.deepStrictEqual(right.of(name), { name, value, from })

      // What is wrong may be a secret in the place of something else.
      const wrong = yield* values({
        ...env,
        DATABASE_URL: "hunter2",
        REDIS_URL: "hunter2",
        BASE_URL: "https://slotkey:hunter2@auth.test/"
      })
      assert.strictEqual(wrong.code, 1)
      assert.match(wrong.checks[0]?.detail ?? "", /^BASE_URL must be/)
      assert.strictEqual(wrong.of("BASE_URL")?.value, "https://auth.test/")
      assert.strictEqual(wrong.of("DATABASE_URL")?.value, "(hidden)")
      assert.strictEqual(wrong.of("OPERATOR_PORT")?.value, "PORT + 10; required with a PORT above 65525")
      const lines = (yield* slotkey(["doctor", "--settings"], { env })).stdout.split("\n")
      assert.include(lines, "MASTER_KEY\t(hidden)\tfile")
      assert.include(lines, "ok\tsettings\tAll settings have values that can be used.")
    }))
})
