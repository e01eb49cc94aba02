import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { NotFound } from "../../../domain/ApiError.ts"
import type { UserId } from "../../../domain/Ids.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { ClientRegistry } from "../../clients/life/ClientRegistry.ts"
import type { Client } from "../../clients/records/Client.ts"
import { LegacyTraffic } from "./LegacyTraffic.ts"
import { MigrationAudits } from "./MigrationAudits.ts"
import type { MigrationState } from "./MigrationState.ts"

/**
 * Migration of one legacy app to scopes, as its owner sees it (specification §5.6). The portal's page and the API call
 * it; `ClientRegistry` saves the scopes and takes them back.
 */
export class Migration extends Context.Service<Migration, {
  state(owner: UserId, id: string): Effect.Effect<MigrationState, NotFound>
  /** Same of any app, for reviewers. */
  stateOf(client: Client): Effect.Effect<MigrationState>
}>()("slotkey/core/legacy/migration/Migration") {
  static readonly layer = Layer.effect(
    Migration,
    Effect.gen(function*() {
      const audits = yield* MigrationAudits
      const registry = yield* ClientRegistry
      const traffic = yield* LegacyTraffic
      const { legacyUndo, migrationAuditDays } = yield* AppConfig

      const stateOf = Effect.fn("Migration.stateOf")(function*(client: Client) {
        const undoUntil = client.migratedAt && DateTime.addDuration(client.migratedAt, legacyUndo)
        const now = yield* DateTime.now
        const { observedSince, observedUntil, scopes } = yield* audits.usage(client.id)
        return {
          legacy: client.legacy,
          audit: Option.getOrNull(yield* audits.assess(client.id)),
          seen: scopes,
          observation: { since: observedSince, until: observedUntil },
          unrotatedGrants: yield* audits.unrotatedGrants(client.id),
          ignoredWords: yield* traffic.ignoredWords(client.id, migrationAuditDays),
          refusedCalls: (yield* traffic.refusedCalls([client.id], migrationAuditDays)).get(client.id) ?? [],
          migratedAt: client.migratedAt,
          refused: client.migratedAt && (yield* traffic.refusedSince(client.id, client.migratedAt)),
          undoUntil: undoUntil !== null && DateTime.isLessThan(now, undoUntil) ? undoUntil : null
        }
      })

      return Migration.of({
        stateOf,
        state: Effect.fn("Migration.state")((owner: UserId, id: string) =>
          Effect.flatMap(registry.getOwned(owner, id), stateOf)
        )
      })
    })
  )
}
