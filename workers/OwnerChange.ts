import { Effect } from "effect"
import { appGiven, appTaken } from "../src/doors/mails/AppMails.ts"
import { OwnerChange } from "../src/foundation/jobs/kinds/OwnerChange.ts"
import * as UserMail from "./UserMail.ts"

export const worker = UserMail.make(
  OwnerChange,
  "a mail to the user who has got an app from another, and one to that other",
  Effect.fn("OwnerChange")(function*({ clientId, isOwner }, letter) {
    const app = yield* UserMail.findApp(clientId)
    if (app === undefined) return yield* Effect.logInfo("The app was deleted meanwhile, so nobody is told")
    return isOwner ? appGiven(letter, { ...letter.act, app }) : appTaken({ ...letter.act, app })
  })
)
