import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { NotFound } from "../../../domain/ApiError.ts"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { ClientId, UserId } from "../../../domain/Ids.ts"
import type { ScopeName } from "../../../domain/scopes/Scope.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { ClientRegistry } from "../../clients/life/ClientRegistry.ts"
import { suggestionOf } from "../../clients/life/ScopeLosses.ts"
import type { ManagedClient } from "../../clients/records/Client.ts"
import { UsageReports } from "../../usage/UsageReports.ts"
import { LegacyTraffic } from "./LegacyTraffic.ts"
import { MigrationAudits } from "./MigrationAudits.ts"
import type { MigrationState } from "./MigrationState.ts"
import { make as rehearsal } from "./RehearsedMigration.ts"

/**
 * Migration of one legacy app to scopes, as its owner sees it (specification §5.6). The portal's page and the API call
 * it; `ClientRegistry` saves the scopes and takes them back.
 */
export class Migration extends Context.Service<Migration, {
  /** Rehearses the saving of these scopes, if any are named. It changes nothing. */
  state(owner: UserId, id: string, scopes?: ReadonlyArray<ScopeName>): Effect.Effect<MigrationState, NotFound>
  /** Same of any app, for reviewers. */
  stateOf(client: ManagedClient, scopes?: ReadonlyArray<ScopeName>): Effect.Effect<MigrationState>
}>()("slotkey/core/legacy/migration/Migration") {
  static readonly layer = Layer.effect(
    Migration,
    Effect.gen(function*() {
      const audits = yield* MigrationAudits
      const catalogue = yield* Catalogue
      const registry = yield* ClientRegistry
      const rehearse = yield* rehearsal
      const reports = yield* UsageReports
      const traffic = yield* LegacyTraffic
      const { legacyUndo, migrationAuditDays } = yield* AppConfig

      /** Refusals since scopes were saved, with those of API calls, which are counted by day. */
      const refusedSince = Effect.fnUntraced(function*(id: ClientId, migratedAt: DateTime.Utc) {
        const refused = yield* traffic.refusedSince(id, migratedAt)
        const { days } = (yield* reports.ofClients([id], migratedAt)).get(id) ?? { days: [] }
        const calls = days.reduce((sum, { calls, outcome }) => outcome === "insufficient_scope" ? sum + calls : sum, 0)
        return { ...refused, requests: refused.requests + calls, refusedCalls: calls }
      })

      const stateOf = Effect.fn("Migration.stateOf")(function*(
        client: ManagedClient,
        scopes?: ReadonlyArray<ScopeName>
      ) {
        const undoUntil = client.migratedAt && DateTime.addDuration(client.migratedAt, legacyUndo)
        const now = yield* DateTime.now
        const usage = yield* audits.usage(client.id)
        const { calls, observedSince, observedUntil } = usage
        const suggested = suggestionOf(catalogue, usage, now)
        const { change, legacy } = client
        const next = change !== null && change.scopes.length > 0 ? change.scopes : legacy ? suggested : client.scopes
        return {
          legacy,
          audit: Option.getOrNull(yield* audits.assess(client.id)),
          seen: usage.scopes,
          calls: { since: calls.since, blindness: calls.blindness, uncovered: usage.uncoveredCalls },
          suggested,
          rehearsal: yield* rehearse(client.id, calls, scopes ?? next),
          observation: { since: observedSince, until: observedUntil },
          unrotatedGrants: yield* audits.unrotatedGrants(client.id),
          ignoredWords: yield* traffic.ignoredWords(client.id, migrationAuditDays),
          refusedCalls: calls.refused,
          migratedAt: client.migratedAt,
          refused: client.migratedAt && (yield* refusedSince(client.id, client.migratedAt)),
          undoUntil: undoUntil !== null && DateTime.isLessThan(now, undoUntil) ? undoUntil : null
        }
      })

      return Migration.of({
        stateOf,
        state: Effect.fn("Migration.state")((owner: UserId, id: string, scopes?: ReadonlyArray<ScopeName>) =>
          Effect.flatMap(registry.getOwned(owner, id), (client) => stateOf(client, scopes))
        )
      })
    })
  )
}
