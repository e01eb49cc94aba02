import { Effect } from "effect"
import { credentialMail } from "../src/doors/mails/CredentialMails.ts"
import { CredentialNotice } from "../src/foundation/jobs/kinds/CredentialNotice.ts"
import * as UserMail from "./UserMail.ts"

export const worker = UserMail.make(
  CredentialNotice,
  "a mail to an owner about a secret or an API key that was made or revoked",
  Effect.fn("CredentialNotice")(function*({ by, clientId, event, lastFour, userId }, letter) {
    const app = clientId === null ? undefined : { id: clientId, named: yield* UserMail.findApp(clientId) }
    return credentialMail(letter, {
      ...letter.act,
      event,
      app,
      lastFour,
      by: yield* UserMail.actorOf(by, userId)
    })
  })
)
