import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { ClientId, GrantId } from "../../domain/Ids.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import * as ClientUses from "./ClientUses.ts"
import * as GrantUses from "./GrantUses.ts"
import { unknownNeed, usedBy } from "./Need.ts"
import type { ClientUse, Coverage, GrantUse, NeedUsers, UnusedScopes, UsedGrant } from "./Use.ts"

/**
 * Reads what rights are used for: for the users whose grants they are, the owners of apps, reviewers and the migration
 * of legacy apps. What was counted within the last minute may be missing (`USAGE_INTERVAL`).
 */
export class UsageReports extends Context.Service<UsageReports, {
  /** From when on each call was seen; `rightsOf` of `Use` needs it. */
  readonly coverage: Effect.Effect<Coverage>
  /** Use of grants, an entry for each that was asked about; 1,000 at most at once. */
  ofGrants(ids: ReadonlyArray<GrantId>): Effect.Effect<ReadonlyMap<GrantId, GrantUse>>
  /** Calls of a client within the last days, today included; days before the weeks that are kept have none. */
  ofClient(clientId: ClientId, days: number): Effect.Effect<ClientUse>
  /** Calls of clients since an instant, whose day counts as a whole; of several the last minutes may be missing. */
  ofClients(ids: ReadonlyArray<ClientId>, since: DateTime.Utc): Effect.Effect<ReadonlyMap<ClientId, ClientUse>>
  /**
   * Scopes among these that no call of the client used since they were held, at the most within the weeks that are
   * kept; `null` where that is not known: calls were not seen for four weeks yet, or not all of them.
   */
  unusedScopes(
    clientId: ClientId,
    held: ReadonlyArray<ScopeName>,
    since: DateTime.Utc
  ): Effect.Effect<UnusedScopes | null>
  /** Users of a client by what their calls needed, as numbers. */
  users(clientId: ClientId): Effect.Effect<NeedUsers>
  /** Live grants of a client with their use, in the order of their ids from behind one on, 1,000 at most. */
  grantsOf(clientId: ClientId, after: GrantId | null): Effect.Effect<ReadonlyArray<UsedGrant>>
}>()("slotkey/core/usage/UsageReports") {
  static readonly layer: Layer.Layer<UsageReports, never, AppConfig | DatabaseClock | SqlClient.SqlClient> = Layer
    .effect(
      UsageReports,
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const clock = yield* DatabaseClock
        const catalogue = yield* Catalogue
        const { usage, usageLifetime } = yield* AppConfig
        const clients = yield* ClientUses.make
        const grants = yield* GrantUses.make

        const coverage = Effect.gen(function*() {
          // A day on which something was missed counts as a whole.
          const [row] = yield* sql<{ readonly since: Date | null }>`
            SELECT (max(day) + 1)::timestamp AT TIME ZONE 'UTC' AS since FROM usage_gaps`
          const now = yield* clock.now
          const since = row === undefined || row.since === null ? earliest : DateTime.fromDateUnsafe(row.since)
          return {
            completeSince: usage === "on" && DateTime.isLessThanOrEqualTo(since, now) ? since : null,
            keptSince: DateTime.subtractDuration(now, usageLifetime),
            isCounting: usage !== "off",
            hasOffline: usage === "partial"
          } satisfies Coverage
        }).pipe(Effect.withSpan("UsageReports.coverage"), Effect.orDie)

        const unusedScopes = Effect.fn("UsageReports.unusedScopes")(function*(
          clientId: ClientId,
          held: ReadonlyArray<ScopeName>,
          heldSince: DateTime.Utc
        ) {
          const { completeSince, keptSince } = yield* coverage
          if (completeSince === null) return null
          const since = DateTime.max(DateTime.max(completeSince, keptSince), heldSince)
          if (DateTime.isGreaterThan(since, DateTime.subtract(yield* clock.now, { weeks: leastWeeks }))) return null
          const { days, isCurrent } = yield* clients.since(clientId, since)
          if (!isCurrent || days.some(({ need, outcome }) => need === unknownNeed && outcome === "introspected")) {
            return null
          }
          const used = new Set(
            days.flatMap(({ need, outcome }) =>
              outcome === "allowed" || outcome === "unrestricted" ? usedBy(catalogue, held, need) : []
            )
          )
          return { scopes: held.filter((scope) => !used.has(scope)), since } satisfies UnusedScopes
        }, Effect.orDie)

        return UsageReports.of({
          coverage,
          ofGrants: Effect.fn("UsageReports.ofGrants")(grants.ofGrants, Effect.orDie),
          ofClient: Effect.fn("UsageReports.ofClient")(clients.ofClient, Effect.orDie),
          ofClients: Effect.fn("UsageReports.ofClients")(clients.read, Effect.orDie),
          unusedScopes,
          users: Effect.fn("UsageReports.users")(grants.users, Effect.orDie),
          grantsOf: Effect.fn("UsageReports.grantsOf")(
            (clientId, after) => grants.grantsOf(clientId, after, mostGrants),
            Effect.orDie
          )
        })
      })
    )
}

/** Weeks for which calls were seen before anything is called unused. */
export const leastWeeks = 4

const mostGrants = 1_000

const earliest = DateTime.makeUnsafe(0)
