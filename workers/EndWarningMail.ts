import { Effect } from "effect"
import { endWarnings } from "../src/core/legacy/migration/EndWarnings.ts"
import { grantsEnd } from "../src/doors/mails/AppMails.ts"
import { EndWarningMail } from "../src/foundation/jobs/kinds/EndWarningMail.ts"
import * as UserMail from "./UserMail.ts"

export const worker = UserMail.make(
  EndWarningMail,
  "a mail to an owner or co-owner about imported grants that are about to end",
  Effect.fn("EndWarningMail")(function*({ firstOwner = null, until, userId }, letter) {
    const apps = yield* (yield* endWarnings).ending(userId, until, firstOwner ?? userId)
    return apps.length === 0
      ? yield* Effect.logInfo("The grants were used meanwhile, or have ended")
      : grantsEnd(letter, apps, letter.user)
  })
)
