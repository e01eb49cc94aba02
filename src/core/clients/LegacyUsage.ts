import { Context, type Effect } from "effect"
import type { ClientId } from "../../domain/Ids.ts"

/**
 * A port for the recent use of a legacy client. The registry asks before an owner saves scopes; the room
 * `core/legacy/migration`, which counts authorization requests, answers (`MigrationAudits.layerUsage`).
 */
export class LegacyUsage extends Context.Service<LegacyUsage, {
  /** The authorization requests of the last `MIGRATION_AUDIT_DAYS` that named no scope (specification §5.6). */
  unscopedRequests(clientId: ClientId): Effect.Effect<number>
}>()("slotkey/core/clients/LegacyUsage") {}
