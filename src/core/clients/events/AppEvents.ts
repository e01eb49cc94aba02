import { Array, Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { ClientId } from "../../../domain/Ids.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import * as Column from "../../../foundation/database/Column.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { EventDelivery } from "../../../foundation/jobs/kinds/EventDelivery.ts"
import { PlatformEvent } from "../../../foundation/jobs/kinds/PlatformEvent.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { type EndReason, grantFacts, type KnownGrant, mostGrants, type NewAppEvent } from "./AppEvent.ts"

/**
 * Events for apps that have an endpoint of their own, and for the platform. What changes a grant or an app publishes
 * them here, in its own transaction: there is never the one without the other. A worker delivers them (`EventQueue`).
 *
 * Many grants that end at once are one event for each fifty of an app, written in one statement. For an app without an
 * endpoint nothing is written.
 */
export class AppEvents extends Context.Service<AppEvents, {
  /** Tells the app, in the caller's transaction. */
  publish(event: NewAppEvent): Effect.Effect<void>
  /** Tells apps and the platform that grants have ended, in the caller's transaction. */
  grantsEnded(grants: ReadonlyArray<KnownGrant>, reason: EndReason): Effect.Effect<void>
  /** Tells apps that grants end earlier than before, in the caller's transaction. */
  grantsShortened(grants: ReadonlyArray<KnownGrant>, endsAt: DateTime.Utc): Effect.Effect<void>
  /** Tells the platform that an app is deleted, with all of its grants, in the caller's transaction. */
  appDeleted(clientId: ClientId): Effect.Effect<void>
}>()("slotkey/core/clients/events/AppEvents") {
  static readonly layer: Layer.Layer<AppEvents, never, AppConfig | SqlClient.SqlClient> = Layer.effect(
    AppEvents,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const outbox = yield* Outbox
      const hasPlatform = Option.isSome((yield* AppConfig).platformWebhookUrl)

      /** Apps among these that have an endpoint, which nobody takes away before the transaction ends. */
      const withEndpoint = Effect.fnUntraced(function*(clientIds: ReadonlyArray<ClientId>) {
        const rows = yield* sql<{ readonly clientId: ClientId }>`SELECT client_id FROM event_endpoints
          WHERE client_id = ANY(${clientIds}::text[]) ORDER BY client_id FOR KEY SHARE`
        return new Set(rows.map(({ clientId }) => clientId))
      })

      const insert = Effect.fnUntraced(function*(events: ReadonlyArray<NewAppEvent>) {
        const now = yield* DatabaseClock.statementNow
        const column = (of: (event: NewAppEvent) => string) => Column.texts(events.map(of))
        yield* sql`INSERT INTO app_events (message_id, client_id, type, data, at, due_at, tried_until)
          SELECT e.message_id, e.client_id, e.type, e.data::jsonb, t.now, t.now, t.now + ${Column.interval(triedFor)}
          FROM unnest(${column(({ id = randomUUID() }) => `msg_${id}`)}, ${column(({ clientId }) => clientId)},
            ${column(({ type }) => type)}, ${column(({ data }) => JSON.stringify(data))})
            WITH ORDINALITY AS e (message_id, client_id, type, data, place), (SELECT ${now} AS now) t
          ORDER BY e.place ON CONFLICT (message_id) DO NOTHING`
        const clientIds = new Set(events.map(({ clientId }) => clientId))
        yield* outbox.publishAll(Array.fromIterable(clientIds).map((clientId) => EventDelivery.make({ clientId })))
      })

      const publish = Effect.fn("AppEvents.publish")(function*(event: NewAppEvent) {
        if ((yield* withEndpoint([event.clientId])).size > 0) yield* insert([event])
      }, Effect.orDie)

      /** Tells of grants, as many in one event as it takes; the platform only where `isForPlatform` is true. */
      const tellOf = Effect.fnUntraced(function*(
        grants: ReadonlyArray<KnownGrant>,
        type: "grant.ended" | "grant.changed",
        more: NewAppEvent["data"],
        isForPlatform: boolean
      ) {
        if (grants.length === 0) return
        const ofApps = Map.groupBy(grants, ({ clientId }) => clientId)
        const listening = yield* withEndpoint([...ofApps.keys()])
        if (listening.size === 0 && !isForPlatform) return
        const events = [...ofApps].flatMap(([clientId, grants]) =>
          isForPlatform || listening.has(clientId)
            ? Array.chunksOf(grants, mostGrants).map((some) => ({
              clientId,
              type,
              data: { client_id: clientId, ...more, grants: some.map(grantFacts) }
            }))
            : []
        )
        const heard = events.filter(({ clientId }) => listening.has(clientId))
        if (heard.length > 0) yield* insert(heard)
        if (isForPlatform) yield* outbox.publishAll(events.map((event) => PlatformEvent.make(event)))
      })

      return AppEvents.of({
        publish,
        grantsEnded: Effect.fn("AppEvents.grantsEnded")(
          (grants, reason) => tellOf(grants, "grant.ended", { reason }, hasPlatform),
          Effect.orDie
        ),
        grantsShortened: Effect.fn("AppEvents.grantsShortened")(
          (grants, endsAt) => tellOf(grants, "grant.changed", { ends_at: DateTime.formatIso(endsAt) }, false),
          Effect.orDie
        ),
        appDeleted: Effect.fn("AppEvents.appDeleted")((clientId) =>
          hasPlatform
            ? outbox.publish(PlatformEvent.make({ clientId, type: "app.deleted", data: { client_id: clientId } }))
            : Effect.void
        )
      })
    })
  ).pipe(Layer.provide(Outbox.layer))
}

/** How long an event is tried again that the endpoint does not take. */
export const triedFor = Duration.days(1)
