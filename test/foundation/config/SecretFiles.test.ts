// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option, Redacted } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { fileSettingOf, secrets } from "../../../src/foundation/config/SecretFiles.ts"
import { misspelled } from "../../../src/foundation/config/SettingNames.ts"
import { settings, table } from "../../../src/foundation/config/Settings.ts"
import { temporaryFolder } from "../../support/TestDatabase.ts"

/** A value of every secret, and of what it requires. */
const values: Readonly<Record<string, string>> = {
  DATABASE_URL: "postgres://slotkey:hunter2@bouncer.test/slotkey",
  DATABASE_DIRECT_URL: "postgres://slotkey:hunter2@db1.test,db2.test/slotkey",
  REDIS_URL: "rediss://:hunter2@the-master",
  REDIS_SENTINEL_PASSWORD: "hunter2",
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  MASTER_KEY_PREVIOUS: Buffer.alloc(32, 8).toString("base64"),
  SMTP_URL: "smtps://slotkey:hunter2@mail.test",
  REVIEW_WEBHOOK_SECRET: "hunter2 and some more",
  PLATFORM_WEBHOOK_SECRET: "hunter2 and still more",
  LEGACY_INTROSPECTION_CLIENT_SECRET: "hunter2",
  DASHBOARD_PASSWORD: "hunter2 and some more",
  OIDC_CLIENT_SECRET: "hunter2",
  HANDOVER_KEY: "hunter2".repeat(5),
  OTEL_EXPORTER_OTLP_HEADERS: "authorization=hunter2"
}
const others = {
  DATABASE_POOLER: "transaction",
  REDIS_SENTINELS: "a.test",
  LEGACY_INTROSPECTION_URL: "https://old.test/introspect",
  LEGACY_INTROSPECTION_CLIENT_ID: "slotkey",
  LEGACY_INTROSPECTION_UNTIL: "2100-01-01"
}

const read = (env: Readonly<Record<string, string>>) => {
  const provider = ConfigProvider.fromEnv({ env })
  return Effect.all([AppConfig, misspelled]).pipe(
    Effect.provide(AppConfig.layer.pipe(Layer.provideMerge(ConfigProvider.layer(provider))))
  )
}

const problems = (env: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(read(env)), ({ problems }) => problems)

/** Redacted parts of a value. */
const redacted = (value: unknown): ReadonlyArray<string> => {
  if (Redacted.isRedacted(value)) return [JSON.stringify(Redacted.value(value))]
  if (Option.isOption(value)) return Option.match(value, { onNone: () => [], onSome: redacted })
  return typeof value === "object" && value !== null && !(value instanceof Set)
    ? Object.values(value).flatMap(redacted)
    : []
}

describe("A setting that is a secret", () => {
  it("is one whose value is redacted, and no other", () => {
    const provider = ConfigProvider.fromUnknown({ ...values, ...others })
    const found = Object.values(table).filter(({ config }) =>
      redacted(Effect.runSync<unknown, unknown>(config.parse(provider))).length > 0
    )
    assert.deepStrictEqual(found.map(({ name }) => name), secrets)
    assert.sameMembers([...secrets], Object.keys(values))
  })

  it("is shown by its host at most", () => {
    const shown = settings.flatMap(({ name, shown }) => shown === undefined ? [] : [[name, shown(values[name] ?? "")]])
    assert.deepStrictEqual(shown.filter(([, text]) => text !== "(hidden)"), [
      ["DATABASE_URL", "(hidden) bouncer.test:5432"],
      ["DATABASE_DIRECT_URL", "(hidden) db1.test:5432,db2.test:5432"],
      ["REDIS_URL", "(hidden) the-master"],
      ["SMTP_URL", "(hidden) mail.test"]
    ])
  })

  it.effect("is read from a file, without the end of its last line", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const env = Object.fromEntries(
        Object.entries(values).map(([name, value], i) => {
          writeFileSync(join(folder, name), value + ["\n", "\r\n", ""][i % 3])
          return [fileSettingOf(name), join(folder, name)]
        })
      )
      const [fromFiles, unknown] = yield* read({ ...others, ...env })
      const [fromEnvironment] = yield* read({ ...others, ...values })
      assert.deepStrictEqual(redacted(fromFiles), redacted(fromEnvironment))
      assert.isAtLeast(redacted(fromFiles).length, secrets.length)
      assert.deepStrictEqual(unknown, [])
    }))

  it.effect("is reported with the name of the file's setting, and neither path nor content is repeated", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const file = (name: string, text: string) => {
        writeFileSync(join(folder, name), text)
        return join(folder, name)
      }
      mkdirSync(join(folder, "hunter2"))
      assert.deepStrictEqual(
        yield* problems({
          DATABASE_URL_FILE: file("database", "hunter2\n"),
          MASTER_KEY_FILE: "hunter2",
          DASHBOARD_PASSWORD_FILE: file("dashboard", "\n"),
          SMTP_URL_FILE: file("smtp", "smtp://mail.test"),
          SMTP_URL: "smtp://hunter2.test",
          OIDC_CLIENT_SECRET_FILE: join(folder, "hunter2")
        }),
        [
          "DATABASE_URL_FILE must hold: postgres:// address with one or several hosts, as libpq reads it",
          "MASTER_KEY_FILE names a file that cannot be used: ENOENT",
          "SMTP_URL and SMTP_URL_FILE are both set: take one of them away",
          "DASHBOARD_PASSWORD_FILE names a file that cannot be used: it is empty",
          "OIDC_CLIENT_SECRET_FILE names a file that cannot be used: EISDIR"
        ]
      )
    }))

  it.effect("is one that another setting requires, and has a name that may be misspelled", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      writeFileSync(join(folder, "database"), values["DATABASE_URL"] ?? "")
      const { message } = yield* Effect.flip(read({ DATABASE_URL_FILE: join(folder, "database"), MASTERKEY_FILE: "x" }))
      assert.deepStrictEqual(message.split("\n").slice(1), [
        "  MASTER_KEY is required with DATABASE_URL: 32 bytes in base64",
        "  MASTERKEY_FILE is no setting and has no effect. Call it MASTER_KEY_FILE if that is meant."
      ])
    }))
})
