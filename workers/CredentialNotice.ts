import { Effect } from "effect"
import { instantText } from "../src/domain/InstantText.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { CredentialNotice } from "../src/foundation/jobs/kinds/CredentialNotice.ts"
import { credentialText } from "./CredentialTexts.ts"
import * as UserMail from "./UserMail.ts"

export const worker = UserMail.make(
  CredentialNotice,
  "a mail to an owner about a secret or an API key that was made or revoked",
  Effect.fn("CredentialNotice")(function*({ by, clientId, event, lastFour, userId }, owner, job) {
    const { authUrl } = yield* AppConfig
    return credentialText({
      event,
      app: clientId === null ? "" : yield* UserMail.appName(clientId),
      lastFour,
      isOwn: by === userId,
      at: instantText(job.at, owner),
      page: clientId === null ? `${authUrl}/account` : `${authUrl}/settings/apps/${encodeURIComponent(clientId)}`
    })
  })
)
