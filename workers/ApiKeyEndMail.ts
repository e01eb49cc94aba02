import { DateTime, Effect } from "effect"
import { ApiKeys } from "../src/core/accounts/people/ApiKeys.ts"
import { instantText } from "../src/domain/InstantText.ts"
import { inQuotes } from "../src/domain/Text.ts"
import { ApiKeyEndMail } from "../src/foundation/jobs/kinds/ApiKeyEndMail.ts"
import * as UserMail from "./UserMail.ts"

export const worker = UserMail.make(
  ApiKeyEndMail,
  "a mail to an owner about API keys that are about to end",
  Effect.fn("ApiKeyEndMail")(function*({ apiKeyIds, userId }, { authUrl, user }) {
    const apiKeys = yield* ApiKeys
    const now = yield* DateTime.now
    const keys = (yield* apiKeys.list(userId)).filter((key) => apiKeyIds.includes(key.id) && key.isLive(now))
    const ends = keys.flatMap(({ expiresAt, lastFour, name }) =>
      expiresAt === null ? [] : [`- ${inQuotes(name)}, ending in \u2026${lastFour}: ${instantText(expiresAt, user)}`]
    )
    if (ends.length === 0) return yield* Effect.logInfo("The keys were revoked meanwhile, or have ended")
    return {
      subject: ends.length === 1
        ? "An API key of your account is about to end"
        : "API keys of your account are about to end",
      lines: [
        ["After these times the server refuses what still uses them:", ...ends].join("\n"),
        "Make another key before, and give it to the script that uses the old one.",
        `Your API keys: ${authUrl}/account`
      ]
    }
  })
)
