import { Effect, Option, Result, Schema } from "effect"
import { IdentitySource } from "../src/core/accounts/people/IdentitySource.ts"
import { stateOf } from "../src/core/clients/life/ClientCommands.ts"
import { ClientRegistry } from "../src/core/clients/life/ClientRegistry.ts"
import { appAccess } from "../src/core/clients/records/AppAccess.ts"
import { type Client, isWithoutOwner } from "../src/core/clients/records/Client.ts"
import { ReviewWishes } from "../src/core/clients/review/ReviewWishes.ts"
import { Brands } from "../src/domain/brand/Brand.ts"
import { Catalogue } from "../src/domain/catalogue/Catalogue.ts"
import type { ClientId, UserId } from "../src/domain/Ids.ts"
import { decisionMail } from "../src/doors/mails/DecisionMails.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { type Change, type OwnerEvent, ReviewNotice, WaitingEvent } from "../src/foundation/jobs/kinds/ReviewNotice.ts"
import { Deliveries } from "../src/foundation/jobs/queue/Deliveries.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import { tellApp, typeOf } from "./AppNews.ts"
import { Post } from "./Post.ts"
import { ReviewNews } from "./ReviewNews.ts"
import { ReviewWebhook } from "./ReviewWebhook.ts"

/** Notes what waits for review for the digests of reviewers, tells owners what was decided, and the webhook both. */
export const worker = Worker.make({
  kind: ReviewNotice,
  does: "webhook calls, mails to owners and events to apps about decisions, and news for the digests of reviewers",
  concurrency: 4,
  handler: Effect.fn("ReviewNotice")(
    function*({ changes = [], clientId, event, leftOut = [], reason = null, state, transfer }, job) {
      const clients = yield* ClientRegistry
      const deliveries = yield* Deliveries
      const webhook = yield* ReviewWebhook
      const found = yield* clients.find(clientId)
      if (Option.isNone(found)) return yield* Effect.logInfo("The app was deleted meanwhile, so nobody is told")
      const client = found.value

      const told = yield* Effect.result(deliveries.once(
        job,
        "webhook",
        webhook.send({
          id: job.id,
          type: `client.${event}`,
          at: job.at,
          data: { clientId, ...(state ?? stateOf(client)), reason }
        })
      ))
      yield* Schema.is(WaitingEvent)(event)
        ? noteForReviewers(event, client, job)
        : Effect.andThen(
          tellOwnApp(
            event,
            client.id,
            { status: (state ?? stateOf(client)).status, reason, changes, leftOut, transfer },
            job
          ),
          tellOwners({ event, app: client, reason, changes, leftOut, transfer }, job)
        )
      if (Result.isFailure(told)) return yield* told.failure
    }
  )
})

const tellOwnApp = Effect.fnUntraced(function*(
  event: OwnerEvent,
  clientId: ClientId,
  { changes, leftOut, reason, status, transfer }: Omit<Decided, "event" | "app"> & { readonly status: string },
  job: Worker.JobContext
) {
  const type = typeOf(event)
  if (type === undefined) return
  yield* tellApp(job, clientId, type, {
    status,
    ...(reason === null ? {} : { reason }),
    ...(changes.length === 0
      ? {}
      : { changes: changes.map(({ added, field, removed }) => ({ field, removed, added })) }),
    ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
    // An app learns of no person whose it is.
    ...(transfer === undefined ? {} : { owner_changes: true })
  })
})

interface Decided {
  readonly event: OwnerEvent
  readonly app: Client
  readonly reason: string | null
  readonly changes: ReadonlyArray<Change>
  readonly leftOut: ReadonlyArray<string>
  readonly transfer: { readonly from: UserId; readonly to: UserId } | undefined
}

/** Tells the people who wait for the review of an app that nobody registered; it has no owner to tell. */
const tellWaiting = Effect.fnUntraced(function*(event: OwnerEvent, app: Client, reason: string | null) {
  const wishes = yield* ReviewWishes
  switch (event) {
    case "approved":
    case "change-approved":
      return yield* wishes.answer(app, true, null)
    case "rejected":
    case "change-rejected":
      return yield* wishes.answer(app, false, reason)
    case "rejection-undone":
    case "change-rejection-undone":
      return yield* wishes.takeBack(app.id)
    default:
  }
})

const tellOwners = Effect.fnUntraced(function*({ transfer, ...decided }: Decided, job: Worker.JobContext) {
  const config = yield* AppConfig
  const identities = yield* IdentitySource
  const post = yield* Post
  const { app, event } = decided
  if (isWithoutOwner(app)) return yield* tellWaiting(event, app, decided.reason)
  const { peopleWho } = yield* appAccess
  const people = (yield* Effect.forEach(yield* peopleWho("use", app), (id) => identities.find(id))).flatMap(
    Option.toArray
  )
  if (people.length === 0) return yield* Effect.logWarning("There is nobody to tell", { event })
  const nameOf = (id: UserId) => Effect.map(identities.find(id), (found) => Option.getOrUndefined(found)?.name ?? id)
  const owner = transfer && { from: yield* nameOf(transfer.from), to: yield* nameOf(transfer.to) }
  // The page that it follows from was the reviewer's.
  const { all: [brand] } = yield* Brands
  const catalogue = yield* Catalogue
  yield* Effect.forEach(people, (reader) =>
    post.send(
      { ...job, brand },
      reader,
      decisionMail(config, catalogue, { ...decided, owner, at: job.at, reader, device: undefined })
    ), { discard: true })
})

const noteForReviewers = Effect.fnUntraced(function*(event: WaitingEvent, client: Client, job: Worker.JobContext) {
  const identities = yield* IdentitySource
  const news = yield* ReviewNews
  const people = yield* identities.reviewers
  if (people.length === 0) return yield* Effect.logWarning("There is nobody to tell", { event })
  yield* news.add(job, { clientId: client.id, event }, people.map(({ id }) => id))
})
