import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { type BadRequest, Conflict, type NotFound } from "../../../domain/ApiError.ts"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { ClientId, UserId } from "../../../domain/Ids.ts"
import * as Input from "../../../domain/Input.ts"
import type { ScopeName } from "../../../domain/scopes/Scope.ts"
import { Text } from "../../../domain/Text.ts"
import * as Column from "../../../foundation/database/Column.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as Sweep from "../../../foundation/database/Sweep.ts"
import { ReviewNotice } from "../../../foundation/jobs/kinds/ReviewNotice.ts"
import { WishAnswer } from "../../../foundation/jobs/kinds/WishAnswer.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { Budgets } from "../../limits/Budgets.ts"
import { clientCommands, stateOf } from "../life/ClientCommands.ts"
import { widen } from "../life/Widening.ts"
import { type Client, isWithoutOwner } from "../records/Client.ts"
import { noteAsked } from "../records/Unasked.ts"
import { isOpen, openWishes } from "./OpenWishes.ts"
import { ReviewWish, WaitingRequest } from "./ReviewWish.ts"

/**
 * People who wait for the review of an app that nobody registered, or of what it asks for more: what they ask reviewers
 * for, and the authorization requests that go on when the decision falls. Nothing here decides about an app: that is
 * `ClientReview`. The consent door calls it, and reviewers read it.
 */
export class ReviewWishes extends Context.Service<ReviewWishes, {
  /**
   * Keeps a request for its user, for `requestLifetime`. The same one once more keeps its id and its time; of a user's
   * requests only the last `mostRequests` stay.
   */
  keep(userId: UserId, clientId: ClientId, location: string): Effect.Effect<WaitingRequest>
  /** Request of this id, of any user: the caller compares that. */
  findRequest(id: string): Effect.Effect<Option.Option<WaitingRequest>>
  /** Last request that the user keeps of the app. */
  lastRequest(userId: UserId, clientId: ClientId): Effect.Effect<Option.Option<WaitingRequest>>
  /** Wish of this user, which may have been answered. */
  find(userId: UserId, clientId: ClientId): Effect.Effect<Option.Option<ReviewWish>>
  /**
   * Asks reviewers for their review with a reason. Scopes that are not before them yet are added to what waits. A user
   * has one wish of an app: another one takes its place. Fails with 409 `not_in_review` when nothing waits, and with
   * `too_many_wishes` when the user waits for many.
   */
  ask(
    userId: UserId,
    clientId: ClientId,
    scopes: ReadonlyArray<ScopeName>,
    reason: string
  ): Effect.Effect<void, BadRequest | Conflict | NotFound>
  /** Wishes that nobody has answered yet, the oldest first, `mostListed` at most. */
  list(clientId: ClientId): Effect.Effect<ReadonlyArray<ReviewWish>>
  /** Number of all of these. */
  count(clientId: ClientId): Effect.Effect<number>
  /** Tells all who wait for the decision that was made about this app; a rejection with the reviewer's reason. */
  answer(client: Client, isApproved: boolean, reason: string | null): Effect.Effect<void>
  /** Lets those whom the last answer reached hear of the next one: it was taken back. */
  takeBack(clientId: ClientId): Effect.Effect<void>
}>()("slotkey/core/clients/review/ReviewWishes") {
  static readonly layer = Layer.effect(
    ReviewWishes,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const catalogue = yield* Catalogue
      const audit = yield* AuditLog
      const budgets = yield* Budgets
      const clock = yield* DatabaseClock
      const commands = yield* clientCommands
      const outbox = yield* Outbox

      const keep = Effect.fn("ReviewWishes.keep")(
        function*(userId: UserId, clientId: ClientId, location: string) {
          const now = DateTime.toDateUtc(yield* clock.now)
          const before = yield* firstRequest(sql`SELECT ${requestColumns} FROM waiting_requests
            WHERE user_id = ${userId} AND client_id = ${clientId} AND location = ${location} AND expires_at > ${now}`)
          if (Option.isSome(before)) return before.value
          const id = yield* Effect.sync(() => randomBytes(16).toString("base64url"))
          const keptAt = yield* DateTime.now
          const expiresAt = DateTime.addDuration(yield* clock.now, requestLifetime)
          yield* sql`INSERT INTO waiting_requests ${
            sql.insert(encodeRequest({ id, clientId, userId, location, keptAt, expiresAt }))
          }`
          yield* sql`DELETE FROM waiting_requests WHERE id IN (SELECT id FROM waiting_requests
            WHERE user_id = ${userId} ORDER BY id = ${id} DESC, expires_at DESC OFFSET ${mostRequests})`
          return { id, clientId, userId, location, keptAt, expiresAt }
        },
        inTransaction(sql),
        Effect.orDie
      )

      const findRequest = Effect.fn("ReviewWishes.findRequest")(function*(id: string) {
        if (!isRequestId(id)) return Option.none<WaitingRequest>()
        return yield* firstRequest(sql`SELECT ${requestColumns} FROM waiting_requests
          WHERE id = ${id} AND expires_at > ${DateTime.toDateUtc(yield* clock.now)}`)
      }, Effect.orDie)

      const lastRequest = Effect.fn("ReviewWishes.lastRequest")(function*(userId: UserId, clientId: ClientId) {
        return yield* firstRequest(sql`SELECT ${requestColumns} FROM waiting_requests
          WHERE user_id = ${userId} AND client_id = ${clientId} AND expires_at > ${DateTime.toDateUtc(yield* clock.now)}
          ORDER BY expires_at DESC LIMIT 1`)
      }, Effect.orDie)

      const find = Effect.fn("ReviewWishes.find")(
        (userId: UserId, clientId: ClientId) =>
          firstWish(
            sql`SELECT ${wishColumns} FROM review_wishes WHERE client_id = ${clientId} AND user_id = ${userId}`
          ),
        Effect.orDie
      )

      const ask = Effect.fn("ReviewWishes.ask")(
        function*(userId: UserId, clientId: ClientId, scopes: ReadonlyArray<ScopeName>, input: string) {
          const { reason } = yield* decodeReason({ reason: input })
          // Takes the lock of the app, so that no decision comes between the wish and what it is about.
          const client = yield* commands.run(
            { id: userId, as: "reviewer" },
            clientId,
            (current, now) => widen(catalogue, current, scopes, now)
          )
          if (!isWithoutOwner(client) || !client.isWaiting) return yield* notInReview
          const others = yield* sql`SELECT 1 FROM review_wishes
            WHERE user_id = ${userId} AND told_at IS NULL AND client_id <> ${clientId} LIMIT ${mostWishes}`
          if (others.length >= mostWishes) return yield* tooManyWishes
          yield* noteAsked(sql, clientId, yield* DatabaseClock.statementNow)
          yield* budgets.spend("wish", userId)
          const askedAt = DateTime.toDateUtc(yield* DateTime.now)
          yield* sql`INSERT INTO review_wishes ${
            sql.insert({ clientId, userId, reason, scopes: catalogue.inOrder(scopes), askedAt })
          } ON CONFLICT (client_id, user_id) DO UPDATE
            SET reason = excluded.reason, scopes = excluded.scopes, asked_at = excluded.asked_at, told_at = NULL`
          yield* audit.record({ actor: userId, action: "client.wished", clientId, userId })
          yield* outbox.publish(ReviewNotice.make({ clientId, event: "wished", state: stateOf(client) }))
        },
        inTransaction(sql)
      )

      const list = Effect.fn("ReviewWishes.list")(
        (clientId: ClientId) =>
          allWishes(sql`SELECT ${wishColumns} FROM review_wishes
            WHERE client_id = ${clientId} AND EXISTS (SELECT FROM clients c WHERE c.id = client_id AND ${isOpen(sql)})
            ORDER BY asked_at, user_id LIMIT ${mostListed}`),
        Effect.orDie
      )

      const count = Effect.fn("ReviewWishes.count")(
        (clientId: ClientId) =>
          sql<{ wishes: number }>`SELECT wishes FROM ${openWishes(sql)} open WHERE client_id = ${clientId}`.pipe(
            Effect.map(([row]) => row?.wishes ?? 0)
          ),
        Effect.orDie
      )

      const answer = Effect.fn("ReviewWishes.answer")(
        function*({ id, reviewedAt }: Client, isApproved: boolean, reason: string | null) {
          if (reviewedAt === null) return
          const answered = yield* allWishes(sql`UPDATE review_wishes SET told_at = ${yield* DatabaseClock.statementNow}
            WHERE client_id = ${id} AND told_at IS NULL AND asked_at <= ${DateTime.toDateUtc(reviewedAt)}
            RETURNING ${wishColumns}`)
          yield* outbox.publishAll(
            answered.map(({ scopes, userId }) => WishAnswer.make({ userId, clientId: id, isApproved, reason, scopes }))
          )
        },
        inTransaction(sql),
        Effect.orDie
      )

      const takeBack = Effect.fn("ReviewWishes.takeBack")(
        (clientId: ClientId) =>
          Effect.asVoid(sql`UPDATE review_wishes SET told_at = NULL WHERE client_id = ${clientId}
            AND told_at = (SELECT max(told_at) FROM review_wishes WHERE client_id = ${clientId})`),
        Effect.orDie
      )

      return ReviewWishes.of({ keep, findRequest, lastRequest, find, ask, list, count, answer, takeBack })
    })
  )
}

/** A mail leads back for so long, and the page goes on for so long by a press of a button. */
export const requestLifetime = Duration.days(7)

/** Wishes that nobody answers, and answers that nobody asks for any more. */
const wishLifetime = Duration.days(90)

export const sweeps = [
  Sweep.expired({
    table: "waiting_requests",
    column: "expires_at",
    retention: requestLifetime,
    rows: "authorization requests that waited for the review of their app"
  }),
  Sweep.where({
    table: "review_wishes",
    retention: wishLifetime,
    rows: "wishes of users for the review of an app, answered or not"
  }, (sql, ago) => sql`asked_at <= ${ago(wishLifetime)}`)
]

/** Makes what forgets a deleted account. */
export const forgetWishes = Effect.map(
  SqlClient.SqlClient,
  (sql) => (userId: UserId) =>
    sql`WITH requests AS (DELETE FROM waiting_requests WHERE user_id = ${userId})
      DELETE FROM review_wishes WHERE user_id = ${userId}`
)

/** Requests of one user that wait. Of more, the oldest go. */
export const mostRequests = 20

/** Wishes of one user that nobody has answered. Each is work for reviewers. */
export const mostWishes = 20

/** Wishes that a reviewer reads. */
const mostListed = 50

const reasonOfWish = Text(1, 500)
const decodeReason = Input.decode(Schema.Struct({ reason: reasonOfWish }))

// Sixteen random bytes in base64url.
const isRequestId = (id: string): boolean => /^[\w-]{22}$/.test(id)

export const tooManyWishes = new Conflict({
  code: "too_many_wishes",
  message: `You wait for the review of ${mostWishes} apps. Ask for more when some of them were reviewed.`
})
const notInReview = new Conflict({ code: "not_in_review", message: "Nothing of this app waits for a decision." })

const requestColumns = Column.names(WaitingRequest.fields)
const firstRequest = Rows.first(WaitingRequest)
const encodeRequest = Schema.encodeSync(WaitingRequest)
const wishColumns = Column.names(ReviewWish.fields)
const firstWish = Rows.first(ReviewWish)
const allWishes = Rows.all(ReviewWish)
