import { Context, DateTime, Effect, Layer } from "effect"
import type { ClientId, GrantId } from "../../domain/Ids.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
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
  /** Live grants of a client that were used, in the order of their ids from behind one on, 1,000 at most. */
  grantsOf(clientId: ClientId, after: GrantId | null): Effect.Effect<ReadonlyArray<UsedGrant>>
}>()("slotkey/core/usage/UsageReports") {
  static readonly layer: Layer.Layer<UsageReports> = Layer.succeed(
    UsageReports,
    UsageReports.of({
      coverage: Effect.map(DateTime.now, (now) => ({
        completeSince: null,
        keptSince: now,
        isCounting: false,
        hasOffline: false
      })),
      ofGrants: (ids) => Effect.succeed(new Map(ids.map((id) => [id, { uses: [], lastAt: null, isCurrent: true }]))),
      ofClient: () => Effect.succeed({ days: [], operations: [], isCurrent: true }),
      unusedScopes: () => Effect.succeed(null),
      users: () => Effect.succeed({ users: new Map(), isComplete: true }),
      grantsOf: () => Effect.succeed([])
    })
  )
}
