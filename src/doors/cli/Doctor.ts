import { Context, Effect, Layer, Option, References, Result, Schema } from "effect"
import { Conflict } from "../../domain/ApiError.ts"
import { Brands } from "../../domain/brand/Brand.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { EffectiveSetting, effectiveSettings } from "../../foundation/config/EffectiveSettings.ts"
import { jobStoreCheck } from "../../foundation/jobs/queue/JobStoreCheck.ts"
import { auditExportCheck } from "./doctor/AuditExportCheck.ts"
import { authUrlCheck } from "./doctor/AuthUrlCheck.ts"
import { baseUrlCheck } from "./doctor/BaseUrlCheck.ts"
import { examineDatabase } from "./doctor/DatabaseExamination.ts"
import { diagnose, Diagnosis } from "./doctor/Diagnosis.ts"
import { mailCheck } from "./doctor/MailCheck.ts"
import { poolerCheck } from "./doctor/PoolerCheck.ts"
import { previousServerCheck } from "./doctor/PreviousServerCheck.ts"
import { proxiesCheck } from "./doctor/ProxiesCheck.ts"
import { misspelledSettings, usableSettings, wrongSettings } from "./doctor/SettingsExamination.ts"
import { signInChecks } from "./doctor/SignInChecks.ts"
import { tracesCheck } from "./doctor/TracesCheck.ts"
import { webhookChecks } from "./doctor/WebhookCheck.ts"
import { toggle } from "./Flags.ts"
import * as OperatorCommand from "./OperatorCommand.ts"

const Answer = Schema.Struct({
  status: Diagnosis.fields.status,
  checks: Schema.Array(Diagnosis),
  /** `null` where nobody asked for them. */
  settings: Schema.NullOr(Schema.Array(EffectiveSetting))
})

/** `slotkey doctor` */
export const doctor = OperatorCommand.make({
  name: "doctor",
  description: "Look at all that a server needs, from here: what is wrong, and what to do about it. Changes nothing",
  examples: [
    ["doctor", "Before the first start, after a change of settings, or when something does not work"],
    ["doctor --json", "For a program; the exit code tells whether a check has failed, too"],
    ["doctor --settings", "Which value each setting has, and whether the environment, a file or the default gave it"]
  ],
  input: {
    settings: toggle("settings", "Show all settings with their values, secrets hidden, and look at nothing else")
  },
  answer: Answer,
  run: Effect.fnUntraced(
    function*({ settings: asked }) {
      const config = yield* Effect.result(Layer.build(AppConfig.layer))
      const checks = [
        ...yield* misspelledSettings,
        ...Result.isFailure(config) ? wrongSettings(config.failure) : [usableSettings],
        ...Result.isFailure(config) || asked ? [] : yield* Effect.provideContext(examineRest, config.success)
      ]
      const values = Option.map(Result.getSuccess(config), Context.get(AppConfig))
      return { status: worst(checks), checks, settings: asked ? yield* effectiveSettings(values) : null }
    },
    // Its findings are its answer.
    Effect.provideService(References.MinimumLogLevel, "None")
  ),
  lines: ({ checks, settings }) => [
    ...(settings ?? []).map(({ from, name, value }) => `${name}\t${value}\t${from}`),
    ...checks.flatMap(({ check, cure, detail, status }) => [
      `${status}\t${check}\t${detail}`,
      ...(cure === null ? [] : [`\t\t-> ${cure}`])
    ])
  ],
  verdict: ({ status }) => status === "failed" ? checkFailed : undefined
})

const checkFailed = new Conflict({ code: "check_failed", message: "A check has failed." })

const examineRest = Effect.gen(function*() {
  const config = yield* AppConfig
  const brands = yield* Brands
  const { authUrl, baseUrl, database } = config
  const checks = [
    ...database._tag === "Server" && database.isPooled ? [poolerCheck(database)] : [],
    ...yield* jobStoreCheck("failed"),
    mailCheck(config, new Set(brands.all.map(({ mailFrom }) => mailFrom))),
    ...webhookChecks(config),
    ...Option.toArray(tracesCheck(config)),
    ...Option.toArray(auditExportCheck(config)),
    ...signInChecks(config),
    ...Option.toArray(previousServerCheck(config)),
    proxiesCheck(config),
    baseUrlCheck(config),
    ...authUrl === baseUrl ? [] : [authUrlCheck(config)]
  ]
  const found = yield* Effect.all(
    [examineDatabase, Effect.forEach(checks, diagnose, { concurrency: "unbounded" })],
    { concurrency: "unbounded" }
  )
  return found.flat()
})

const worst = (checks: ReadonlyArray<Diagnosis>): Diagnosis["status"] =>
  (["failed", "degraded"] as const).find((status) => checks.some((check) => check.status === status)) ?? "ok"
