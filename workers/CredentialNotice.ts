import { Effect } from "effect"
import { CredentialNotice } from "../src/foundation/jobs/kinds/CredentialNotice.ts"
import { credentialText } from "./CredentialTexts.ts"
import * as UserMail from "./UserMail.ts"

export const worker = UserMail.make(
  CredentialNotice,
  "a mail to an owner about a secret or an API key that was made or revoked",
  Effect.fn("CredentialNotice")(function*({ by, clientId, event, lastFour, userId }, { at, authUrl }) {
    return credentialText({
      event,
      app: clientId === null ? "" : yield* UserMail.appName(clientId),
      lastFour,
      isOwn: by === userId,
      at,
      page: clientId === null ? `${authUrl}/account` : `${authUrl}/settings/apps/${encodeURIComponent(clientId)}`
    })
  })
)
