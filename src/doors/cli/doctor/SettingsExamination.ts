import { Effect } from "effect"
import type { SettingsError } from "../../../foundation/config/AppConfig.ts"
import { misspelled } from "../../../foundation/config/SettingNames.ts"
import { type Diagnosis, diagnosisOf } from "./Diagnosis.ts"

/** Variables of the environment that are no settings, though they look like one. */
export const misspelledSettings: Effect.Effect<ReadonlyArray<Diagnosis>> = Effect.map(
  misspelled,
  (names) =>
    names.map(({ meant, name }) =>
      diagnosisOf("settings", {
        status: "degraded",
        detail: `${name} is no setting and has no effect.`,
        remedy: `Call it ${meant} if that is meant.`
      })
    )
)

/** One for each setting with a wrong value. */
export const wrongSettings = ({ problems }: SettingsError): ReadonlyArray<Diagnosis> =>
  problems.map((problem) => diagnosisOf("settings", { status: "failed", detail: `${problem}.` }))

export const usableSettings: Diagnosis = diagnosisOf("settings", {
  status: "ok",
  detail: "All settings have values that can be used."
})
