import { Effect } from "effect"
import { credentialMail } from "../src/doors/mails/CredentialMails.ts"
import { credentialNewsMail, isNews } from "../src/doors/mails/CredentialNewsMails.ts"
import { CredentialNotice } from "../src/foundation/jobs/kinds/CredentialNotice.ts"
import * as UserMail from "./UserMail.ts"

export const worker = UserMail.make(
  CredentialNotice,
  "a mail to an owner about a secret or an API key that was made, revoked or found in public, or about the end of a secret",
  Effect.fn("CredentialNotice")(function*({ by, clientId, endsAt, event, foundAt, lastFour, userId }, letter) {
    const named = clientId === null ? undefined : yield* UserMail.findApp(clientId)
    if (isNews(event)) {
      if (clientId !== null && named === undefined) return yield* Effect.logInfo("The app was deleted meanwhile")
      const app = clientId === null || named === undefined ? undefined : { id: clientId, named }
      return credentialNewsMail(letter, { event, app, lastFour, endsAt, foundAt }, letter.user)
    }
    return credentialMail(letter, {
      ...letter.act,
      event,
      app: clientId === null ? undefined : { id: clientId, named },
      lastFour,
      by: yield* UserMail.actorOf(by, userId)
    })
  })
)
