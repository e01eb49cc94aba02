import { Effect, Layer, Option, Result, Schema } from "effect"
import { IdentitySource } from "../src/core/accounts/people/IdentitySource.ts"
import { stateOf } from "../src/core/clients/life/ClientCommands.ts"
import { ClientRegistry } from "../src/core/clients/life/ClientRegistry.ts"
import type { Client } from "../src/core/clients/records/Client.ts"
import { MigrationAudits } from "../src/core/legacy/migration/MigrationAudits.ts"
import { verdictText } from "../src/core/legacy/migration/MigrationVerdict.ts"
import type { ClientId } from "../src/domain/Ids.ts"
import { instantText } from "../src/domain/InstantText.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { type Change, type OwnerEvent, ReviewNotice, WaitingEvent } from "../src/foundation/jobs/kinds/ReviewNotice.ts"
import { Deliveries } from "../src/foundation/jobs/queue/Deliveries.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import type { JobContext } from "../src/foundation/jobs/queue/Worker.ts"
import { decisionText } from "./DecisionTexts.ts"
import { Post } from "./Post.ts"
import { ReviewNews } from "./ReviewNews.ts"
import { ReviewWebhook } from "./ReviewWebhook.ts"

/** Notes what waits for review for the digests of reviewers, tells owners what was decided, and the webhook both. */
export const layer = Layer.unwrap(Effect.gen(function*() {
  const { authUrl } = yield* AppConfig
  const audits = yield* MigrationAudits
  const clients = yield* ClientRegistry
  const deliveries = yield* Deliveries
  const identities = yield* IdentitySource
  const news = yield* ReviewNews
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

  const tellOwner = Effect.fnUntraced(function*(
    { changes = [], event }: { readonly event: OwnerEvent; readonly changes?: ReadonlyArray<Change> },
    client: Client,
    reason: string | null,
    job: JobContext
  ) {
    const owner = yield* identities.find(client.ownerId)
    if (Option.isNone(owner)) return yield* Effect.logWarning("There is nobody to tell", { event })
    const at = instantText(job.at, owner.value)
    const settings = `${authUrl}/settings/apps/${encodeURIComponent(client.id)}`
    yield* post.send(job, owner.value, decisionText({ event, client, at, reason, changes, settings }))
  })

  const noteForReviewers = Effect.fnUntraced(function*(event: WaitingEvent, client: Client, job: JobContext) {
    const people = yield* identities.reviewers
    if (people.length === 0) return yield* Effect.logWarning("There is nobody to tell", { event })
    yield* news.add(job, { clientId: client.id, event }, people.map(({ id }) => id))
  })

  return Worker.layer({
    kind: ReviewNotice,
    concurrency: 4,
    handler: Effect.fn("ReviewNotice")(function*(notice, job) {
      const { clientId, event, reason = null, state } = notice
      const found = yield* clients.find(clientId)
      if (Option.isNone(found)) return yield* Effect.logInfo("The app was deleted meanwhile, so nobody is told")
      const client = found.value
      if (event === "migration" && !client.legacy) return yield* Effect.logInfo("The app was moved meanwhile")
      const why = event === "migration" ? yield* standing(client.id) : reason

      const told = yield* Effect.result(deliveries.once(
        job,
        "webhook",
        webhook.send({
          id: job.id,
          type: `client.${event}`,
          at: job.at,
          data: { clientId, ...(state ?? stateOf(client)), reason: why }
        })
      ))
      yield* Schema.is(WaitingEvent)(event)
        ? noteForReviewers(event, client, job)
        : tellOwner({ ...notice, event }, client, why, job)
      if (Result.isFailure(told)) return yield* told.failure
    })
  })
}))
