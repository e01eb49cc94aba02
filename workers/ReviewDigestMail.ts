import { Effect, Option } from "effect"
import type { Account } from "../src/core/accounts/people/Account.ts"
import { IdentitySource } from "../src/core/accounts/people/IdentitySource.ts"
import { differences } from "../src/core/clients/life/ChangeDiff.ts"
import { ClientReview } from "../src/core/clients/life/ClientReview.ts"
import { instantText } from "../src/domain/InstantText.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { ReviewDigestMail } from "../src/foundation/jobs/kinds/ReviewDigestMail.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import { Post } from "./Post.ts"
import { digestText, type WaitingApp } from "./ReviewDigestText.ts"
import { type News, ReviewNews } from "./ReviewNews.ts"

export const worker = Worker.make({
  kind: ReviewDigestMail,
  does: "a mail to a reviewer about all apps that came up for review since the last one",
  concurrency: 4,
  handler: Effect.fn("ReviewDigestMail")(function*({ userId }, job) {
    const { authUrl, reviewDigestInterval: interval } = yield* AppConfig
    const identities = yield* IdentitySource
    const news = yield* ReviewNews
    const post = yield* Post
    const waiting = yield* news.take(job, userId)
    const reader = (yield* identities.reviewers).find(({ id }) => id === userId)
    if (reader === undefined || waiting.length === 0) {
      yield* Effect.logInfo("Nothing is left to tell this reviewer")
      return yield* news.drop(job, userId)
    }
    const apps = yield* Effect.forEach(waiting.slice(0, mostNamed), (one) => waitingApp(one, reader))
    yield* post.send(job, reader, digestText(apps.flatMap(Option.toArray), waiting.length, { authUrl, interval }))
    yield* news.sent(job, userId)
  })
})

const waitingApp = Effect.fnUntraced(function*({ clientId, event }: News, reader: Account) {
  const { authUrl } = yield* AppConfig
  const identities = yield* IdentitySource
  const client = yield* (yield* ClientReview).get(clientId)
  const change = client.change?.isWaiting ? client.change : null
  const owner = yield* identities.find(client.ownerId)
  return {
    client,
    event,
    owner: Option.match(owner, {
      onNone: () => `the account ${client.ownerId}, which is gone`,
      onSome: ({ email, name }) => `${name} (${email})`
    }),
    since: instantText((change ?? client).submittedAt, reader),
    changes: change === null ? [] : differences(client, change),
    review: `${authUrl}/review/${encodeURIComponent(clientId)}`
  } satisfies WaitingApp
}, Effect.option)

/** The page of the queue lists the others. */
const mostNamed = 20
