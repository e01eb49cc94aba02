import { Effect, Option } from "effect"
import { endWarnings } from "../src/core/legacy/migration/EndWarnings.ts"
import { EndWarningMail } from "../src/foundation/jobs/kinds/EndWarningMail.ts"
import * as UserMail from "./UserMail.ts"

export const worker = UserMail.make(
  EndWarningMail,
  "a mail to an owner about imported grants that are about to end",
  Effect.fn("EndWarningMail")(function*({ until }, { user }) {
    const warnings = yield* endWarnings
    const text = yield* warnings.write(user, until)
    return Option.isSome(text) ? text.value : yield* Effect.logInfo("The grants were used meanwhile, or have ended")
  })
)
