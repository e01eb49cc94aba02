import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId, GrantId } from "../../domain/Ids.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import * as AppScopes from "./AppScopes.ts"
import * as ClientUses from "./ClientUses.ts"
import * as GrantUses from "./GrantUses.ts"
import type {
  ClientUse,
  Coverage,
  GrantUse,
  HeldScopes,
  NeedUsers,
  UnusedPage,
  UnusedScopes,
  UsedGrant
} from "./Use.ts"

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
  /** Same for several apps, 100 at most, in one statement. */
  unusedScopesOf(apps: ReadonlyArray<HeldScopes>): Effect.Effect<ReadonlyMap<ClientId, UnusedScopes | null>>
  /**
   * Page of the approved apps with scopes that reach everyone and that nobody used for four weeks or more, the riskiest
   * first; `null` where calls were not seen for so long, or not all of them.
   */
  appsWithUnused(page: number): Effect.Effect<UnusedPage | null>
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

        const apps = yield* AppScopes.make(coverage)

        return UsageReports.of({
          coverage,
          ofGrants: Effect.fn("UsageReports.ofGrants")(grants.ofGrants, Effect.orDie),
          ofClient: Effect.fn("UsageReports.ofClient")(clients.ofClient, Effect.orDie),
          unusedScopes: Effect.fn("UsageReports.unusedScopes")(function*(clientId, scopes, since) {
            return (yield* apps.unusedOf([{ clientId, scopes, since }])).get(clientId) ?? null
          }, Effect.orDie),
          unusedScopesOf: Effect.fn("UsageReports.unusedScopesOf")(apps.unusedOf, Effect.orDie),
          appsWithUnused: Effect.fn("UsageReports.appsWithUnused")(apps.page, Effect.orDie),
          ofClients: Effect.fn("UsageReports.ofClients")(clients.read, Effect.orDie),
          users: Effect.fn("UsageReports.users")(grants.users, Effect.orDie),
          grantsOf: Effect.fn("UsageReports.grantsOf")(
            (clientId, after) => grants.grantsOf(clientId, after, mostGrants),
            Effect.orDie
          )
        })
      })
    )
}

const mostGrants = 1_000

const earliest = DateTime.makeUnsafe(0)
