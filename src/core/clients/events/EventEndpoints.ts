import { Context, Duration, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { type BadRequest, Conflict, NotFound } from "../../../domain/ApiError.ts"
import type { ClientId, UserId } from "../../../domain/Ids.ts"
import * as Input from "../../../domain/Input.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { takesLoopback } from "../../../foundation/config/OwnMachine.ts"
import * as Column from "../../../foundation/database/Column.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import { EventDelivery } from "../../../foundation/jobs/kinds/EventDelivery.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { newSecret } from "../../../foundation/outbound/StandardWebhook.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { MasterKey } from "../../keys/MasterKey.ts"
import { Budgets } from "../../limits/Budgets.ts"
import { isPlausible } from "../records/ClientsRepo.ts"
import { testEvent } from "./AppEvent.ts"
import { AppEvents, triedFor } from "./AppEvents.ts"
import { Delivery, Endpoint } from "./Endpoint.ts"
import { endpointInput } from "./EndpointAddress.ts"

/**
 * Endpoints of apps: their owners set them, and see and repeat what was sent there. Callers have made sure that the
 * app is the owner's.
 */
export class EventEndpoints extends Context.Service<EventEndpoints, {
  find(clientId: ClientId): Effect.Effect<Option.Option<Endpoint>>
  get(clientId: ClientId): Effect.Effect<Endpoint, NotFound>
  /** Sets the address. Where there was none, it makes the secret and returns it, which cannot be read again. */
  set(by: UserId, clientId: ClientId, input: unknown): Effect.Effect<
    { readonly endpoint: Endpoint; readonly secret: Option.Option<Redacted.Redacted> },
    BadRequest
  >
  /** Makes another secret; the one before it signs as well for a day. */
  rotate(by: UserId, clientId: ClientId): Effect.Effect<
    { readonly endpoint: Endpoint; readonly secret: Redacted.Redacted },
    NotFound
  >
  /** Removes the endpoint with its events. */
  remove(by: UserId, clientId: ClientId): Effect.Effect<void, NotFound>
  /** Latest events, the newest first: all, or those that were given up. */
  deliveries(clientId: ClientId, only?: "failed"): Effect.Effect<ReadonlyArray<Delivery>>
  /** Sends an event that says nothing. */
  test(by: UserId, clientId: ClientId): Effect.Effect<void, NotFound>
  /** Sends an event again, under the same id. */
  sendAgain(by: UserId, clientId: ClientId, id: string): Effect.Effect<Delivery, NotFound | Conflict>
  /** Same for all that were given up; answers their number. */
  sendFailedAgain(by: UserId, clientId: ClientId): Effect.Effect<number, NotFound>
}>()("slotkey/core/clients/events/EventEndpoints") {
  static readonly layer = Layer.effect(
    EventEndpoints,
    Effect.gen(function*() {
      const config = yield* AppConfig
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const budgets = yield* Budgets
      const events = yield* AppEvents
      const master = yield* MasterKey
      const outbox = yield* Outbox
      const decode = Input.decode(endpointInput(takesLoopback(config)))
      const now = DatabaseClock.statementNow

      const find = Effect.fn("EventEndpoints.find")(function*(clientId: ClientId) {
        return yield* firstEndpoint(sql`SELECT url, created_at, secret_at, failures, retry_at,
            CASE WHEN previous_until > ${yield* now} THEN previous_until END AS previous_until
          FROM event_endpoints WHERE client_id = ${clientId}`)
      }, Effect.orDie)

      const get = (clientId: ClientId) =>
        Effect.flatMap(find(clientId), (found) => Option.isNone(found) ? noEndpoint : Effect.succeed(found.value))

      /** The endpoint, under its row lock. */
      const lock = Effect.fnUntraced(function*(clientId: ClientId) {
        const rows = yield* Effect.orDie(
          sql`SELECT 1 FROM event_endpoints WHERE client_id = ${clientId} FOR NO KEY UPDATE`
        )
        if (rows.length === 0) return yield* noEndpoint
      })

      const makeSecret = Effect.gen(function*() {
        const secret = newSecret()
        return { secret, sealed: yield* Effect.orDie(master.seal(Buffer.from(Redacted.value(secret)))) }
      })

      const set = Effect.fn("EventEndpoints.set")(
        function*(by: UserId, clientId: ClientId, input: unknown) {
          const { url } = yield* decode(input)
          yield* budgets.spend("change", by)
          const { sealed, secret } = yield* makeSecret
          // At another address the pause of the one before it means nothing.
          const [row] = yield* sql<{ readonly isNew: boolean }>`
            INSERT INTO event_endpoints AS p (client_id, url, secret, secret_at, created_at)
            SELECT ${clientId}, ${url}, ${sealed}, t.now, t.now FROM (SELECT ${yield* now} AS now) t
            ON CONFLICT (client_id) DO UPDATE SET url = excluded.url, failures = 0, retry_at = NULL
            RETURNING xmax = 0 AS is_new`
          yield* audit.record({ actor: by, action: "endpoint.set", clientId, details: { url } })
          yield* outbox.publish(EventDelivery.make({ clientId }))
          const endpoint = yield* Effect.orDie(get(clientId))
          return { endpoint, secret: row?.isNew === true ? Option.some(secret) : Option.none() }
        },
        inTransaction(sql)
      )

      const rotate = Effect.fn("EventEndpoints.rotate")(
        function*(by: UserId, clientId: ClientId) {
          yield* lock(clientId)
          yield* budgets.spend("change", by)
          const { sealed, secret } = yield* makeSecret
          const at = yield* now
          yield* sql`UPDATE event_endpoints SET previous_secret = secret, secret = ${sealed}, secret_at = ${at},
            previous_until = ${at} + ${Column.interval(overlap)} WHERE client_id = ${clientId}`
          yield* audit.record({ actor: by, action: "endpoint.secret_rotated", clientId })
          return { endpoint: yield* get(clientId), secret }
        },
        inTransaction(sql)
      )

      const remove = Effect.fn("EventEndpoints.remove")(
        function*(by: UserId, clientId: ClientId) {
          const gone = yield* sql`DELETE FROM event_endpoints WHERE client_id = ${clientId} RETURNING 1`
          if (gone.length === 0) return yield* noEndpoint
          yield* audit.record({ actor: by, action: "endpoint.removed", clientId })
        },
        inTransaction(sql)
      )

      const select = (where: Statement.Fragment) =>
        allDeliveries(sql`SELECT message_id AS id, type, at, attempts, tried_at, status, fault, due_at,
            CASE WHEN due_at IS NOT NULL THEN 'waiting' WHEN delivered_at IS NULL THEN 'failed' ELSE 'delivered' END
            AS state
          FROM app_events WHERE ${where} ORDER BY app_events.id DESC LIMIT ${mostListed}`)

      const isFailed = sql`due_at IS NULL AND delivered_at IS NULL`

      const deliveries = Effect.fn("EventEndpoints.deliveries")(
        (clientId: ClientId, only?: "failed") =>
          select(sql`client_id = ${clientId} AND ${only === undefined ? sql`true` : isFailed}`),
        Effect.orDie
      )

      const test = Effect.fn("EventEndpoints.test")(
        function*(by: UserId, clientId: ClientId) {
          yield* lock(clientId)
          yield* budgets.spend("event", by)
          yield* tryNow(clientId)
          yield* events.publish(testEvent(clientId))
        },
        inTransaction(sql)
      )

      /** Ends the pause of an endpoint: somebody knows that it is back, or wants to know. */
      const tryNow = (clientId: ClientId) =>
        Effect.orDie(sql`UPDATE event_endpoints SET retry_at = NULL WHERE client_id = ${clientId}`)

      const repeat = Effect.fnUntraced(function*(clientId: ClientId, where: Statement.Fragment) {
        const at = yield* now
        yield* tryNow(clientId)
        const rows = yield* Effect.orDie(sql`UPDATE app_events SET due_at = ${at}, attempts = 0, delivered_at = NULL,
          tried_until = ${at} + ${Column.interval(triedFor)} WHERE client_id = ${clientId} AND ${where} RETURNING 1`)
        if (rows.length > 0) yield* outbox.publish(EventDelivery.make({ clientId }))
        return rows.length
      })

      const sendAgain = Effect.fn("EventEndpoints.sendAgain")(
        function*(by: UserId, clientId: ClientId, id: string) {
          yield* lock(clientId)
          yield* budgets.spend("event", by)
          if (!isPlausible(id)) return yield* noEvent
          const isThis = sql`message_id = ${id}`
          const repeated = yield* repeat(clientId, sql`${isThis} AND due_at IS NULL`)
          const [delivery] = yield* Effect.orDie(select(sql`client_id = ${clientId} AND ${isThis}`))
          if (delivery === undefined) return yield* noEvent
          return repeated === 0 ? yield* stillWaits : delivery
        },
        inTransaction(sql)
      )

      const sendFailedAgain = Effect.fn("EventEndpoints.sendFailedAgain")(
        function*(by: UserId, clientId: ClientId) {
          yield* lock(clientId)
          yield* budgets.spend("event", by)
          return yield* repeat(clientId, isFailed)
        },
        inTransaction(sql)
      )

      return EventEndpoints.of({ find, get, set, rotate, remove, deliveries, test, sendAgain, sendFailedAgain })
    })
  )
}

const noEndpoint = new NotFound({ code: "endpoint_not_found", message: "This app has no endpoint for events." })
const noEvent = new NotFound({ code: "event_not_found", message: "This app has no such event." })
const stillWaits = new Conflict({
  code: "event_waits",
  message: "This event has not been given up: it is tried again."
})

/** How long the secret before the newest signs as well. */
const overlap = Duration.days(1)

const mostListed = 100

const firstEndpoint = Rows.first(Endpoint)
const allDeliveries = Rows.all(Delivery)
