import { Effect, Option } from "effect"
import { MigrationMails } from "../src/core/legacy/migration/MigrationMails.ts"
import { pleaseMigrate } from "../src/doors/mails/AppMails.ts"
import { MigrationMail } from "../src/foundation/jobs/kinds/MigrationMail.ts"
import * as UserMail from "./UserMail.ts"

export const worker = UserMail.make(
  MigrationMail,
  "a mail to an owner or co-owner about all legacy apps that are still to be moved",
  Effect.fn("MigrationMail")(function*({ userId }, letter) {
    const mails = yield* MigrationMails
    const left = yield* mails.left(userId)
    if (Option.isNone(left)) return yield* Effect.logInfo("The apps were moved meanwhile")
    return pleaseMigrate(letter, left.value)
  })
)
