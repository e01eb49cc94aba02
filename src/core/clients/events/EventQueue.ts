import { Duration, Effect, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { ClientId, type UserId } from "../../../domain/Ids.ts"
import * as Column from "../../../foundation/database/Column.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import { EndpointMail } from "../../../foundation/jobs/kinds/EndpointMail.ts"
import { EventDelivery } from "../../../foundation/jobs/kinds/EventDelivery.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { MasterKey } from "../../keys/MasterKey.ts"
import { appAccess } from "../records/AppAccess.ts"
import { type Attempt, eventSender, isTaken } from "./EventSender.ts"

/** An event that is due, with the endpoint to which it goes. */
const Due = Schema.Struct({
  id: Schema.BigInt,
  messageId: Schema.String,
  clientId: ClientId,
  type: Schema.String,
  data: Schema.String,
  at: Schema.DateTimeUtcFromDate,
  attempts: Schema.Int,
  url: Schema.String,
  failures: Schema.Int,
  secret: Schema.String,
  /** Secret before that, while it still signs. */
  previous: Schema.NullOr(Schema.String)
})
type Due = typeof Due.Type

/**
 * Delivers the events of apps, each at least once, for the worker `EventDelivery`.
 *
 * An event that is not taken is tried again after a pause that doubles from a minute to an hour, for a day. An endpoint
 * that has not taken two in a row gets a pause of its own: however many events wait for it, it costs one request in a
 * pause. The event with the fewest attempts goes first: one that an endpoint never takes does not hold up the others.
 */
export const eventQueue = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const master = yield* MasterKey
  const outbox = yield* Outbox
  const { peopleWho } = yield* appAccess
  const send = yield* eventSender

  const isReady = (now: Statement.Fragment) => sql`(p.retry_at IS NULL OR p.retry_at <= ${now})`

  /** Publishes a job for each app that has events due; answers their number. */
  const publishDue = Effect.gen(function*() {
    const now = yield* DatabaseClock.statementStart
    const due = yield* sql<{ readonly clientId: ClientId }>`SELECT client_id FROM event_endpoints p
      WHERE ${
      isReady(now)
    } AND EXISTS (SELECT 1 FROM app_events e WHERE e.client_id = p.client_id AND due_at <= ${now})`
    yield* outbox.publishAll(due.map(({ clientId }) => EventDelivery.make({ clientId })))
    return due.length
  }).pipe(Effect.orDie, Effect.withSpan("EventQueue.publishDue"))

  const next = Effect.fnUntraced(function*(clientId: ClientId) {
    const now = yield* DatabaseClock.statementNow
    return yield* firstDue(
      sql`SELECT e.id, message_id, e.client_id, type, data::text, at, attempts, url, failures, secret,
        CASE WHEN previous_until > ${now} THEN previous_secret END AS previous
      FROM app_events e JOIN event_endpoints p USING (client_id)
      WHERE e.client_id = ${clientId} AND due_at <= ${now} AND ${isReady(now)}
      ORDER BY attempts, e.id LIMIT 1`
    )
  }, Effect.orDie)

  const noteTaken = Effect.fnUntraced(function*({ clientId, id }: Due, { status }: Attempt) {
    const now = yield* DatabaseClock.statementNow
    yield* sql`UPDATE app_events SET due_at = NULL, delivered_at = ${now}, tried_at = ${now}, attempts = attempts + 1,
      status = ${status}, fault = NULL WHERE id = ${id}`
    // An endpoint that comes and goes is no reason for more than a mail a day.
    yield* sql`UPDATE event_endpoints SET failures = 0, retry_at = NULL,
        told_at = CASE WHEN told_at > ${now} - interval '24 hours' THEN told_at END
      WHERE client_id = ${clientId} AND (failures > 0 OR told_at IS NOT NULL)`
  }, inTransaction(sql))

  const noteFailed = Effect.fnUntraced(function*(due: Due, { fault, status }: Attempt) {
    const now = yield* DatabaseClock.statementNow
    const failures = due.failures + 1
    const pause = failures < 2 ? null : Column.interval(pauseAfter(failures - 1))
    yield* sql`UPDATE event_endpoints SET failures = ${failures}, retry_at = ${now} + ${pause}::interval
      WHERE client_id = ${due.clientId}`
    yield* sql`UPDATE app_events SET attempts = attempts + 1, tried_at = ${now}, status = ${status}, fault = ${fault},
      due_at = ${now} + ${Column.interval(pauseAfter(due.attempts + 1))} WHERE id = ${due.id}`
    // Where nothing gets through any more, nothing whose day is over will.
    const given = failures < dead ? sql`id = ${due.id}` : sql`due_at IS NOT NULL`
    const gaveUp = yield* sql`UPDATE app_events SET due_at = NULL
      WHERE client_id = ${due.clientId} AND ${given} AND tried_until <= ${now} RETURNING 1`
    if (gaveUp.length === 0) return
    const told = yield* sql<{ readonly ownerId: UserId }>`UPDATE event_endpoints p SET told_at = ${now} FROM clients c
      WHERE c.id = p.client_id AND p.client_id = ${due.clientId} AND told_at IS NULL RETURNING owner_id`
    const people = yield* Effect.forEach(told, ({ ownerId }) => peopleWho("use", { id: due.clientId, ownerId }))
    yield* outbox.publishAll(people.flat().map((userId) => EndpointMail.make({ userId, clientId: due.clientId })))
  }, inTransaction(sql))

  const attempt = Effect.fnUntraced(function*(due: Due) {
    // Without the newest secret no receiver would take the message; the one before only serves the change to it.
    const secret = yield* Effect.option(master.unsealText(due.secret))
    const previous = due.previous === null ? Option.none() : yield* Effect.option(master.unsealText(due.previous))
    if (Option.isNone(secret)) return yield* noteFailed(due, unsigned)
    const secrets = [secret.value, ...Option.toArray(previous)]
    // A worker that stops does not part an answer from the note of it, without which the app gets the event twice.
    yield* Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(
        restore(send(due.url, secrets, { ...due, id: due.messageId })),
        (outcome) => isTaken(outcome) ? noteTaken(due, outcome) : noteFailed(due, outcome)
      )
    )
  })

  /** Delivers what is due to an app, as far as it goes in a while; another job goes on from there. */
  const deliver = Effect.fn("EventQueue.deliver")(function*(clientId: ClientId) {
    for (let tried = 0; tried < mostInARow; tried++) {
      const due = yield* next(clientId)
      if (Option.isNone(due)) return tried
      yield* attempt(due.value)
    }
    yield* outbox.publish(EventDelivery.make({ clientId }))
    return mostInARow
  })

  return { publishDue, deliver }
})

/** Pause after this many failures. */
const pauseAfter = (failures: number): Duration.Duration => Duration.minutes(Math.min(2 ** (failures - 1), 60))

/** The secret was sealed under a master key that is gone; its owner makes another. */
const unsigned: Attempt = { status: null, fault: "unsigned" }

/** Failures in a row after which an endpoint is taken for dead. */
const dead = 5

const mostInARow = 100

const firstDue = Rows.first(Due)
