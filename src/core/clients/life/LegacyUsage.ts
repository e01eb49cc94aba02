import { Context, type DateTime, Effect, Option } from "effect"
import type { ClientId } from "../../../domain/Ids.ts"
import type { ScopeName } from "../../../domain/scopes/Scope.ts"
import { ClientsRepo } from "../records/ClientsRepo.ts"

export interface ScopeUse {
  readonly scope: ScopeName
  /** Others any of which would have done as well for the calls. */
  readonly or?: ReadonlyArray<ScopeName>
  /** Others that the calls needed, too. */
  readonly and?: ReadonlyArray<ScopeName>
  readonly requests: number
  /** API calls that needed it and were allowed. */
  readonly calls: number
}

/** Recent use of a legacy client: what would be lost with scopes that do not cover it. */
export interface Usage {
  /** Number of days that it looks back: `MIGRATION_AUDIT_DAYS`. */
  readonly days: number
  /** Authorization requests that named no scope. */
  readonly unscopedRequests: number
  /** In catalogue order, then those with others. */
  readonly scopes: ReadonlyArray<ScopeUse>
  /** API calls that no scope covers: tokens without restriction alone may make them. */
  readonly uncoveredCalls: number
  /** True if all calls are known: then scopes that no call needed are not suggested. */
  readonly knowsCalls: boolean
  /** Words that requests named in `scope` and that are no scopes: they were ignored. */
  readonly words: ReadonlyArray<{ readonly word: string; readonly requests: number }>
  readonly observedSince: DateTime.Utc
  /** Time from which on the client has been observed for long enough: for `MIGRATION_OBSERVATION`. */
  readonly observedUntil: DateTime.Utc
}

/**
 * A port for the recent use of a legacy client. It is asked before an owner saves scopes and before a reviewer approves
 * them; the room `core/legacy/migration`, which counts, answers (`MigrationAudits.layerUsage`).
 */
export class LegacyUsage extends Context.Service<LegacyUsage, {
  of(clientId: ClientId): Effect.Effect<Usage>
}>()("slotkey/core/clients/life/LegacyUsage") {}

/** Looks up the recent use of the client with an id, if it is a legacy one; of others nothing is counted. */
export const recentUse = Effect.gen(function*() {
  const repo = yield* ClientsRepo
  const usage = yield* LegacyUsage

  return Effect.fnUntraced(function*(id: string) {
    const client = Option.filter(yield* repo.find(id), ({ legacy }) => legacy)
    return Option.isSome(client) ? yield* usage.of(client.value.id) : undefined
  })
})
