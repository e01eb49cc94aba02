import { Effect, Option } from "effect"
import { IdentitySource } from "../src/core/accounts/people/IdentitySource.ts"
import { appGiven, appTaken } from "../src/doors/mails/AppMails.ts"
import { ownersMail } from "../src/doors/mails/OwnersMails.ts"
import { OwnerChange } from "../src/foundation/jobs/kinds/OwnerChange.ts"
import * as UserMail from "./UserMail.ts"

export const worker = UserMail.make(
  OwnerChange,
  "a mail to the users who have, had or are to have a part in an app, about whose it is",
  Effect.fn("OwnerChange")(function*({ app: gone, clientId, event, isOwner, person, role, userId }, letter) {
    const found = yield* UserMail.findApp(clientId)
    const app = found ?? (gone === undefined ? undefined : { ...gone, id: clientId })
    if (app === undefined) return yield* Effect.logInfo("The app was deleted meanwhile, so nobody is told")
    if (event !== undefined) {
      const identities = yield* IdentitySource
      const about = person === undefined ? Option.none() : yield* identities.find(person)
      const name = Option.getOrUndefined(about)?.name ?? person ?? ""
      return ownersMail(letter, { ...letter.act, app, event, isSelf: person === userId, name, role })
    }
    return isOwner ? appGiven(letter, { ...letter.act, app }) : appTaken({ ...letter.act, app })
  })
)
