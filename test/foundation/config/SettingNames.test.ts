// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { misspelled } from "../../../src/foundation/config/SettingNames.ts"

const found = (env: Record<string, string>) =>
  Effect.map(
    Effect.provideService(misspelled, ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })),
    (names) => names.map(({ meant, name }) => `${name}: ${meant}`)
  )

describe("Misspelled settings", () => {
  it.effect("are found with the name that was meant", () =>
    Effect.gen(function*() {
      const env = {
        CODE_LIFETIME: "60 seconds",
        CODE_LIFETME: "60 seconds",
        CODE_LIFETIEM: "60 seconds",
        SESSION_LIFETIMES: "1 day",
        SLOTKEY_MAIL_FROM: "a@example.test",
        MAIL_FORM: "a@example.test",
        DATABASE_URI: "postgres://localhost/x",
        log_level: "debug"
      }
      assert.deepStrictEqual(yield* found(env), [
        "CODE_LIFETIEM: CODE_LIFETIME",
        "CODE_LIFETME: CODE_LIFETIME",
        "DATABASE_URI: DATABASE_URL",
        "MAIL_FORM: MAIL_FROM",
        "SESSION_LIFETIMES: SESSION_LIFETIME",
        "SLOTKEY_MAIL_FROM: MAIL_FROM",
        "log_level: LOG_LEVEL"
      ])
    }))

  it.effect("are not what other programs have in the environment", () =>
    Effect.gen(function*() {
      const names = "HOME HOSTNAME PATH USER LOGNAME TERM LANG SHELL PWD MAIL EDITOR TMPDIR DISPLAY SESSION_MANAGER " +
        "REDIS_PORT REDIS_SERVICE_HOST POSTGRES_PORT DB_PORT NODE_ENV NODE_OPTIONS HTTP_PROXY NO_PROXY PGHOST PGPORT " +
        "KUBERNETES_SERVICE_PORT INVOCATION_ID JOURNAL_STREAM npm_config_user_agent OTEL_LOGS_EXPORTER TZ"
      assert.deepStrictEqual(yield* found(Object.fromEntries(names.split(" ").map((name) => [name, "x"]))), [])
    }))
})
