import { Schema } from "effect"
import { ClientId } from "../../../domain/Ids.ts"
import { ScopeName } from "../../../domain/scopes/Scope.ts"
import { MigrationVerdict } from "./MigrationVerdict.ts"

export class MigrationAudit extends Schema.Class<MigrationAudit>("MigrationAudit")({
  clientId: ClientId,
  at: Schema.DateTimeUtcFromDate,
  /** Number of days that it looked back. */
  days: Schema.Int,
  unscopedRequests: Schema.Int,
  scopedRequests: Schema.Int,
  lastUnscopedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** Scopes that requests named, in catalogue order. */
  scopes: Schema.Array(ScopeName),
  /** Active grants that no scope restricts. */
  unscopedGrants: Schema.Int,
  verdict: MigrationVerdict
}) {}
