import { DateTime, Effect, Exit, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { CountedUsage } from "../../../src/core/usage/CountedUsage.ts"
import { UsageInbox } from "../../../src/core/usage/UsageInbox.ts"
import { sweeps } from "../../../src/core/usage/UsageMerge.ts"
import { type NotedCall, UsageNotes } from "../../../src/core/usage/UsageNotes.ts"
import { UsageReports } from "../../../src/core/usage/UsageReports.ts"
import type { ClientId, GrantId } from "../../../src/domain/Ids.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import type { Sweep } from "../../../src/foundation/database/Sweep.ts"
import * as DatabaseOutage from "../../support/DatabaseOutage.ts"
import { eventually } from "../../support/Eventually.ts"
import { clientId, newGrantId, seed, sha256, userId } from "../tokens/Fixture.ts"

/** Reports on a database that can be cut off; servers are started in tests (`server`). */
export const services = (env: Readonly<Record<string, string>> = {}) =>
  Layer.merge(UsageReports.layer, UsageInbox.layer).pipe(
    Layer.provideMerge(DatabaseOutage.layer),
    Layer.provideMerge(AppConfig.layerTest({ USAGE_CELLS: String(cells), ...env }))
  )

/** Sets the clock to the day after the tables were made, so that every day since was counted, and seeds two clients. */
export const begin = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<
    { readonly at: Date }
  >`SELECT (coalesce(max(day), current_date) + 1)::timestamp AT TIME ZONE 'UTC' AS at FROM usage_gaps`
  yield* TestClock.setTime((row?.at.getTime() ?? 0) + 3_600_000)
  yield* seed
})

/** A live grant. */
export const grant = Effect.fnUntraced(function*(of: ClientId = clientId, user: string = userId) {
  const sql = yield* SqlClient.SqlClient
  const id = yield* newGrantId
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at)
    VALUES (${id}, ${sha256(id)}, ${of}, ${user}, ARRAY['BOOKING_READ', 'PROFILE_READ'], ${now}, ${now},
      ${now}::timestamptz + interval '365 days')`
  return id
})

/** Sums that a server of these tests has at once. */
export const cells = 1_000

/** Waits, in real time, for what a server does in the background. */
export const until = <E, R>(isDone: Effect.Effect<boolean, E, R>) => TestClock.withLive(eventually(isDone))

/** A server that counts: what notes its calls, and how it stops. One that is killed never does. */
export const server = Effect.gen(function*() {
  const scope = yield* Scope.make()
  const context = yield* Layer.buildWithScope(Layer.fresh(CountedUsage), scope)
  const { note } = yield* Effect.provide(UsageNotes, context)
  return { note, stop: Scope.close(scope, Exit.void) }
})

/** A call that is allowed, unless it is changed. */
export const call = (grantId: GrantId, changes: Partial<NotedCall> = {}): NotedCall => ({
  grantId,
  clientId,
  outcome: "allowed",
  need: "BOOKING_READ",
  operation: bookings,
  ...changes
})

export const bookings = { method: "GET", path: "/v2/bookings" }

/** Runs sweeps until they find nothing more. */
export const run = Effect.fnUntraced(function*<R>(all: ReadonlyArray<Sweep<R>>) {
  for (const { prepare } of all) {
    const batch = yield* prepare
    for (let more = true; more;) more = (yield* batch).more
  }
})

/** Adds up all that waits. */
export const merge = run(sweeps)

/** Calls of a grant by what they needed. */
export const callsOf = Effect.fnUntraced(function*(id: GrantId) {
  const use = (yield* (yield* UsageReports).ofGrants([id])).get(id)
  return Object.fromEntries((use?.uses ?? []).map(({ calls, need }) => [need, calls]))
})
