import { Effect, Option } from "effect"
import { MigrationMails } from "../src/core/legacy/migration/MigrationMails.ts"
import { MigrationMail } from "../src/foundation/jobs/kinds/MigrationMail.ts"
import * as UserMail from "./UserMail.ts"

export const worker = UserMail.make(
  MigrationMail,
  "a mail to an owner about all legacy apps that are still to be moved",
  Effect.fn("MigrationMail")(function*({ userId }) {
    const mails = yield* MigrationMails
    const text = yield* mails.write(userId)
    return Option.isSome(text) ? text.value : yield* Effect.logInfo("The apps were moved meanwhile")
  })
)
