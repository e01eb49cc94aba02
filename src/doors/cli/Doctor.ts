import { Effect, Layer, Option, References, Result, Schema } from "effect"
import { Conflict } from "../../domain/ApiError.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { jobStoreCheck } from "../../foundation/jobs/queue/JobStoreCheck.ts"
import { authUrlCheck } from "./doctor/AuthUrlCheck.ts"
import { baseUrlCheck } from "./doctor/BaseUrlCheck.ts"
import { examineDatabase } from "./doctor/DatabaseExamination.ts"
import { diagnose, Diagnosis } from "./doctor/Diagnosis.ts"
import { mailCheck } from "./doctor/MailCheck.ts"
import { poolerCheck } from "./doctor/PoolerCheck.ts"
import { misspelledSettings, usableSettings, wrongSettings } from "./doctor/SettingsExamination.ts"
import { signInChecks } from "./doctor/SignInChecks.ts"
import * as OperatorCommand from "./OperatorCommand.ts"

const Answer = Schema.Struct({ status: Diagnosis.fields.status, checks: Schema.Array(Diagnosis) })

/** `slotkey doctor` */
export const doctor = OperatorCommand.make({
  name: "doctor",
  description: "Look at all that a server needs, from here: what is wrong, and what to do about it. Changes nothing",
  examples: [
    ["doctor", "Before the first start, after a change of settings, or when something does not work"],
    ["doctor --json", "For a program; the exit code tells whether a check has failed, too"]
  ],
  input: {},
  answer: Answer,
  run: Effect.fnUntraced(
    function*() {
      const checks = [...yield* misspelledSettings, ...yield* examineAll]
      return { status: worst(checks), checks }
    },
    // Its findings are its answer.
    Effect.provideService(References.MinimumLogLevel, "None")
  ),
  lines: ({ checks }) =>
    checks.flatMap(({ check, cure, detail, status }) => [
      `${status}\t${check}\t${detail}`,
      ...(cure === null ? [] : [`\t\t-> ${cure}`])
    ]),
  verdict: ({ status }) =>
    status === "failed"
      ? Effect.fail(new Conflict({ code: "check_failed", message: "A check has failed." }))
      : Effect.void
})

const examineAll = Effect.gen(function*() {
  const settings = yield* Effect.result(Layer.build(AppConfig.layer))
  if (Result.isFailure(settings)) return wrongSettings(settings.failure)
  const found = yield* Effect.provideContext(examineRest, settings.success)
  return [usableSettings, ...found]
})

const examineRest = Effect.gen(function*() {
  const config = yield* AppConfig
  const { authUrl, baseUrl, database } = config
  const checks = [
    ...database._tag === "Server" && database.isPooled ? [poolerCheck(database)] : [],
    ...Option.toArray(yield* jobStoreCheck("failed")),
    mailCheck(config),
    ...signInChecks(config),
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
