import { DateTime, Effect, Layer } from "effect"
import { ApiKeys } from "../src/core/accounts/people/ApiKeys.ts"
import { instantText } from "../src/domain/InstantText.ts"
import { inQuotes } from "../src/domain/Text.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { ApiKeyEndMail } from "../src/foundation/jobs/kinds/ApiKeyEndMail.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import { Post } from "./Post.ts"

/** Mails an owner about API keys that are about to end. */
export const layer = Layer.unwrap(Effect.gen(function*() {
  const { authUrl } = yield* AppConfig
  const apiKeys = yield* ApiKeys
  const post = yield* Post

  return Worker.layer({
    kind: ApiKeyEndMail,
    concurrency: 4,
    handler: Effect.fn("ApiKeyEndMail")(({ apiKeyIds, userId }, job) =>
      post.sendTo(job, userId, (owner) =>
        Effect.gen(function*() {
          const now = yield* DateTime.now
          const keys = (yield* apiKeys.list(userId)).filter((key) => apiKeyIds.includes(key.id) && key.isLive(now))
          const ends = keys.flatMap(({ expiresAt, lastFour, name }) =>
            expiresAt === null
              ? []
              : [`- ${inQuotes(name)}, ending in \u2026${lastFour}: ${instantText(expiresAt, owner)}`]
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
        }))
    )
  })
}))
