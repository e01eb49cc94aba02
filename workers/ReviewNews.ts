import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { isOwnerless } from "../src/core/clients/records/OwnerlessApps.ts"
import { waitingApps } from "../src/core/clients/review/WaitingApps.ts"
import { ClientId, UserId } from "../src/domain/Ids.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import * as Column from "../src/foundation/database/Column.ts"
import { DatabaseClock } from "../src/foundation/database/DatabaseClock.ts"
import { inTransaction } from "../src/foundation/database/InTransaction.ts"
import * as Sweep from "../src/foundation/database/Sweep.ts"
import * as TransactionLock from "../src/foundation/database/TransactionLock.ts"
import { ReviewDigestMail } from "../src/foundation/jobs/kinds/ReviewDigestMail.ts"
import { WaitingEvent } from "../src/foundation/jobs/kinds/ReviewNotice.ts"
import { Outbox } from "../src/foundation/jobs/outbox/Outbox.ts"
import type { JobContext } from "../src/foundation/jobs/queue/Worker.ts"

/** Latest event of an app that a reviewer has not read about. */
export const News = Schema.Struct({ clientId: ClientId, event: WaitingEvent, at: Schema.DateTimeUtcFromDate })
export type News = typeof News.Type

/**
 * News that reviewers have yet to read: one row for each reviewer and app. A digest takes the rows of its reviewer and
 * deletes them when it was sent, so nothing is lost while it is not; there is at most one in `REVIEW_DIGEST_INTERVAL`.
 */
export class ReviewNews extends Context.Service<ReviewNews, {
  /**
   * Notes the job's event for these reviewers, once: another attempt notes it for nobody who has had a digest about it.
   */
  add(job: JobContext, news: Omit<News, "at">, reviewers: ReadonlyArray<UserId>): Effect.Effect<void>
  /** Publishes the digests that are due, and answers their number. */
  readonly publishDue: Effect.Effect<number>
  /**
   * News that the digest of this job tells, the oldest first, without apps that were decided on meanwhile or whose
   * owner was asked; those of a digest that was put aside are among them. Retries send exactly what the first attempt
   * took, because receivers may take the later mail for a repeat. Nothing if another digest was sent a short time ago:
   * the next one tells it.
   */
  take(job: JobContext, reviewer: UserId): Effect.Effect<ReadonlyArray<News>>
  /** Forgets the news that this job took. */
  drop(job: JobContext, reviewer: UserId): Effect.Effect<void>
  /** Same after they were sent. */
  sent(job: JobContext, reviewer: UserId): Effect.Effect<void>
}>()("slotkey/workers/ReviewNews") {
  static readonly layer: Layer.Layer<ReviewNews, never, AppConfig | Outbox | SqlClient.SqlClient> = Layer.effect(
    ReviewNews,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const outbox = yield* Outbox
      const { reviewDigestInterval } = yield* AppConfig
      const interval = Column.interval(reviewDigestInterval)

      /** Nothing may be undone about the app; otherwise the next digest looks again, in case it waits then. */
      const isSettled = (now: Statement.Fragment) =>
        sql`NOT EXISTS (SELECT 1 FROM review_decisions d
          WHERE d.client_id = n.client_id AND d.undone_at IS NULL AND d.until > ${now})`

      const add = Effect.fn("ReviewNews.add")(
        function*(job: JobContext, { clientId, event }: Omit<News, "at">, reviewers: ReadonlyArray<UserId>) {
          const at = DateTime.toDateUtc(job.at)
          yield* sql`WITH told AS (
              INSERT INTO deliveries (outbox_id, recipient, delivered_at)
              SELECT ${rowOf(job)}::bigint, 'news of ' || id, ${at} FROM unnest(${Column.texts(reviewers)}) AS id
              ON CONFLICT DO NOTHING RETURNING substr(recipient, 9) AS user_id
            ) INSERT INTO review_news (client_id, user_id, event, at)
            SELECT c.id, told.user_id, ${event}, ${at} FROM told, clients c WHERE c.id = ${clientId}
            ON CONFLICT (client_id, user_id) DO UPDATE SET event = excluded.event, at = excluded.at, outbox_id = NULL`
        },
        Effect.orDie
      )

      const publishDue = Effect.gen(function*() {
        // The second of two workers that look at once finds the jobs of the first.
        yield* TransactionLock.take(sql, "reviewDigests")
        const now = yield* DatabaseClock.statementNow
        const due = yield* decodeUsers(
          yield* sql`SELECT DISTINCT n.user_id FROM review_news n LEFT JOIN review_digests d ON d.user_id = n.user_id
            WHERE n.outbox_id IS NULL AND ${isSettled(now)} AND (d.sent_at IS NULL OR d.sent_at <= ${now} - ${interval})
              AND NOT EXISTS (
                SELECT 1 FROM outbox o WHERE o.queue = ${ReviewDigestMail.queue} AND o.subject = 'user:' || n.user_id
                  AND o.done_at IS NULL AND o.dead_at IS NULL
              ) ORDER BY n.user_id`
        )
        yield* outbox.publishAll(due.map(({ userId }) => ReviewDigestMail.make({ userId })))
        return due.length
      }).pipe(sql.withTransaction, Effect.orDie, Effect.withSpan("ReviewNews.publishDue"))

      const take = Effect.fn("ReviewNews.take")(function*(job: JobContext, reviewer: UserId) {
        const id = rowOf(job)
        // A job replayed by an operator may find that another digest has just been sent. The row stays locked.
        const [digest] = yield* sql<{ readonly taken: boolean }>`
          INSERT INTO review_digests (user_id, outbox_id) VALUES (${reviewer}, ${id})
          ON CONFLICT (user_id) DO UPDATE SET outbox_id = excluded.outbox_id
            WHERE review_digests.outbox_id <> excluded.outbox_id AND (review_digests.sent_at IS NULL
              OR review_digests.sent_at <= ${yield* DatabaseClock.statementNow} - ${interval})
          RETURNING true AS taken`
        if (digest !== undefined) {
          yield* sql`UPDATE review_news n SET outbox_id = ${id} WHERE user_id = ${reviewer}
            AND (outbox_id IS NULL OR outbox_id IN (SELECT id FROM outbox WHERE dead_at IS NOT NULL))
            AND ${isSettled(yield* DatabaseClock.statementNow)}`
        } else {
          yield* sql`UPDATE review_news SET outbox_id = NULL WHERE user_id = ${reviewer} AND outbox_id = ${id}
            AND NOT EXISTS (SELECT 1 FROM review_digests WHERE user_id = ${reviewer} AND outbox_id = ${id})`
        }
        return yield* decodeNews(
          yield* sql`SELECT n.client_id, n.event, n.at FROM review_news n JOIN clients ON clients.id = n.client_id
            LEFT JOIN ${waitingApps(sql)} w ON w.id = n.client_id
            WHERE n.user_id = ${reviewer} AND n.outbox_id = ${id} AND (w.asked IS FALSE
              OR n.event = 'inherited' OR n.event = 'ownerless' AND ${isOwnerless(sql)})
            ORDER BY n.at, n.client_id`
        )
      }, (take) => Effect.orDie(sql.withTransaction(take)))

      const drop = Effect.fn("ReviewNews.drop")(function*(job: JobContext, reviewer: UserId) {
        yield* sql`DELETE FROM review_news WHERE user_id = ${reviewer} AND outbox_id = ${rowOf(job)}`
      }, Effect.orDie)

      const sent = Effect.fn("ReviewNews.sent")(
        function*(job: JobContext, reviewer: UserId) {
          yield* drop(job, reviewer)
          yield* sql`UPDATE review_digests SET sent_at = ${yield* DatabaseClock.statementNow}
            WHERE user_id = ${reviewer}`
        },
        inTransaction(sql)
      )

      return ReviewNews.of({ add, publishDue, take, drop, sent })
    })
  )
}

export const sweeps = [
  Sweep.where({
    table: "review_digests",
    retention: "jobLifetime",
    rows: "the time of a reviewer's last digest, once the job of that is deleted"
  }, (sql) => sql`NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.id = review_digests.outbox_id)`)
]

/** These jobs are all published, so they have a row. */
const rowOf = ({ outboxId }: JobContext): bigint => Option.getOrThrow(outboxId)

const decodeNews = Schema.decodeUnknownEffect(Schema.Array(News))
const decodeUsers = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ userId: UserId })))
