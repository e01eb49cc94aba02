import { Schema } from "effect"
import { ClientId } from "../../../domain/Ids.ts"
import { Scope } from "../../../domain/scopes/Scope.ts"
import { MigrationVerdict } from "./MigrationVerdict.ts"

/** What an audit of one client found. */
export class MigrationAudit extends Schema.Class<MigrationAudit>("MigrationAudit")({
  clientId: ClientId,
  at: Schema.DateTimeUtcFromDate,
  /** How many days back it looked. */
  days: Schema.Int,
  unscopedRequests: Schema.Int,
  scopedRequests: Schema.Int,
  lastUnscopedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** The scopes that requests named, in catalogue order. */
  scopes: Schema.Array(Scope),
  /** Grants without restriction that still live. */
  unscopedGrants: Schema.Int,
  verdict: MigrationVerdict
}) {}
