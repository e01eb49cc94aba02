import { DateTime, Effect } from "effect"
import { ApiKeys } from "../src/core/accounts/people/ApiKeys.ts"
import { keysEnd } from "../src/doors/mails/CredentialMails.ts"
import { ApiKeyEndMail } from "../src/foundation/jobs/kinds/ApiKeyEndMail.ts"
import * as UserMail from "./UserMail.ts"

export const worker = UserMail.make(
  ApiKeyEndMail,
  "a mail to an owner about API keys that are about to end",
  Effect.fn("ApiKeyEndMail")(function*({ apiKeyIds, userId }, letter) {
    const apiKeys = yield* ApiKeys
    const now = yield* DateTime.now
    const keys = (yield* apiKeys.list(userId)).filter((key) => apiKeyIds.includes(key.id) && key.isLive(now))
    const ending = keys.flatMap(({ expiresAt, lastFour, name }) =>
      expiresAt === null ? [] : [{ name, lastFour, expiresAt }]
    )
    if (ending.length === 0) return yield* Effect.logInfo("The keys were revoked meanwhile, or have ended")
    return keysEnd(letter, ending, letter.user)
  })
)
