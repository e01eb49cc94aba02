import { Effect, Option } from "effect"
import { IdentitySource } from "../src/core/accounts/people/IdentitySource.ts"
import { differences } from "../src/core/clients/life/ChangeDiff.ts"
import { isWithoutOwner } from "../src/core/clients/records/Client.ts"
import { documentHostOf } from "../src/core/clients/records/DocumentHost.ts"
import { ClientReview } from "../src/core/clients/review/ClientReview.ts"
import { ReviewWishes } from "../src/core/clients/review/ReviewWishes.ts"
import { digestMail, type WaitingApp } from "../src/doors/mails/DigestMail.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { ReviewDigestMail } from "../src/foundation/jobs/kinds/ReviewDigestMail.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import { Post } from "./Post.ts"
import { type News, ReviewNews } from "./ReviewNews.ts"

export const worker = Worker.make({
  kind: ReviewDigestMail,
  does: "a mail to a reviewer about all apps that came up for review since the last one",
  concurrency: 4,
  handler: Effect.fn("ReviewDigestMail")(function*({ userId }, job) {
    const config = yield* AppConfig
    const identities = yield* IdentitySource
    const news = yield* ReviewNews
    const post = yield* Post
    const waiting = yield* news.take(job, userId)
    const reader = (yield* identities.reviewers).find(({ id }) => id === userId)
    if (reader === undefined || waiting.length === 0) {
      yield* Effect.logInfo("Nothing is left to tell this reviewer")
      return yield* news.drop(job, userId)
    }
    const apps = (yield* Effect.forEach(waiting.slice(0, mostNamed), waitingApp)).flatMap(Option.toArray)
    const digest = { apps, total: waiting.length, interval: config.reviewDigestInterval, reader }
    yield* post.send(job, reader, digestMail(config, digest))
    yield* news.sent(job, userId)
  })
})

const waitingApp = Effect.fnUntraced(function*({ clientId, event }: News) {
  const identities = yield* IdentitySource
  const client = yield* (yield* ClientReview).get(clientId)
  const change = client.change?.isWaiting ? client.change : null
  const wishes = yield* ReviewWishes
  const [first] = isWithoutOwner(client) ? yield* wishes.list(clientId) : []
  const { id, name, purpose, redirectUris, scopes, website } = client
  return {
    id,
    name,
    purpose,
    redirectUris,
    scopes,
    website,
    event,
    owner: Option.getOrUndefined(yield* identities.find(client.ownerId)),
    byItself: isWithoutOwner(client)
      ? {
        host: documentHostOf(client),
        reason: first?.reason,
        waiting: first === undefined ? 0 : yield* wishes.count(clientId)
      }
      : undefined,
    since: (change ?? client).submittedAt,
    changes: change === null ? [] : differences(client, change)
  } satisfies WaitingApp
}, Effect.option)

/** The page of the queue lists the others. */
const mostNamed = 20
