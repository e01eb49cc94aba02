import { Effect } from "effect"
import { passwordChanged } from "../src/doors/mails/AccountMails.ts"
import { PasswordChanged } from "../src/foundation/jobs/kinds/PasswordChanged.ts"
import * as UserMail from "./UserMail.ts"

/** Mails the user of an account that its password was changed: who did not do it learns it from nothing else. */
export const worker = UserMail.make(
  PasswordChanged,
  "a mail to a user whose password was changed",
  Effect.fn("PasswordChanged")(function*({ by, userId }, letter) {
    return passwordChanged(letter, { ...letter.act, by: yield* UserMail.actorOf(by, userId) })
  })
)
