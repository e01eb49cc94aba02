import { Effect } from "effect"
import type { SettingsError } from "../../../foundation/config/AppConfig.ts"
import { misspelled } from "../../../foundation/config/SettingNames.ts"
import { degraded, failed, ok } from "../../../foundation/operator/Readiness.ts"
import { type Diagnosis, diagnosisOf } from "./Diagnosis.ts"

/** Variables of the environment that are no settings, though they look like one. */
export const misspelledSettings: Effect.Effect<ReadonlyArray<Diagnosis>> = Effect.map(
  misspelled,
  (names) =>
    names.map(({ meant, name }) =>
      diagnosisOf(
        "settings",
        degraded(`${name} is no setting and has no effect.`, `Call it ${meant} if that is meant.`)
      )
    )
)

/** One for each setting with a wrong value. */
export const wrongSettings = ({ problems }: SettingsError): ReadonlyArray<Diagnosis> =>
  problems.map((problem) => diagnosisOf("settings", failed(problem.replace(/\.?$/, "."))))

export const usableSettings = diagnosisOf("settings", ok("All settings have values that can be used."))
