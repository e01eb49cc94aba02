import { Effect, Layer, Option, Result } from "effect"
import { IdentitySource } from "../src/core/accounts/IdentitySource.ts"
import { ClientRegistry } from "../src/core/clients/ClientRegistry.ts"
import { MigrationAudits } from "../src/core/legacy/migration/MigrationAudits.ts"
import { verdictText } from "../src/core/legacy/migration/MigrationVerdict.ts"
import type { ClientId } from "../src/domain/Ids.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { ReviewNotice } from "../src/foundation/jobs/kinds/ReviewNotice.ts"
import { Deliveries } from "../src/foundation/jobs/queue/Deliveries.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import { Post } from "./Post.ts"
import { audience, mailText } from "./ReviewNoticeTexts.ts"
import { ReviewWebhook } from "./ReviewWebhook.ts"

/** Tells administrators what waits for review, owners what was decided, and the webhook both. */
export const layer = Layer.unwrap(Effect.gen(function*() {
  const { authUrl } = yield* AppConfig
  const audits = yield* MigrationAudits
  const clients = yield* ClientRegistry
  const deliveries = yield* Deliveries
  const identities = yield* IdentitySource
  const post = yield* Post
  const webhook = yield* ReviewWebhook

  const standing = (clientId: ClientId) =>
    Effect.map(
      audits.assess(clientId),
      Option.match({
        onNone: () => null,
        onSome: ({ unscopedGrants, verdict }) => verdictText(verdict, unscopedGrants)
      })
    )

  return Worker.layer({
    kind: ReviewNotice,
    concurrency: 4,
    handler: Effect.fn("ReviewNotice")(function*({ clientId, event, reason = null }, job) {
      const found = yield* clients.find(clientId)
      if (Option.isNone(found)) return yield* Effect.logInfo("The app was deleted meanwhile, so nobody is told")
      const client = found.value
      if (event === "migration" && !client.legacy) return yield* Effect.logInfo("The app was moved meanwhile")
      const why = event === "migration" ? yield* standing(client.id) : reason
      const people = audience(event) === "administrators"
        ? yield* identities.administrators
        : Option.toArray(yield* identities.find(client.ownerId))
      if (people.length === 0) yield* Effect.logWarning("There is nobody to tell", { event })

      const told = yield* Effect.result(deliveries.once(
        job,
        "webhook",
        webhook.send({
          id: job.id,
          type: `client.${event}`,
          at: job.at,
          data: { clientId, name: client.name, website: client.website, status: client.status, reason: why }
        })
      ))
      yield* post.send(
        job,
        people,
        mailText(event, client, why, {
          review: `${authUrl}/review/${encodeURIComponent(clientId)}`,
          settings: `${authUrl}/settings/apps/${encodeURIComponent(clientId)}`
        })
      )
      if (Result.isFailure(told)) return yield* told.failure
    })
  })
}))
