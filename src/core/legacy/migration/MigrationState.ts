import { Schema } from "effect"
import { MigrationAudit } from "./MigrationAudit.ts"

/** The authorization requests without scope that were refused since the scopes of a client were saved. */
export const Refusals = Schema.Struct({
  requests: Schema.Int,
  lastAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
export type Refusals = typeof Refusals.Type

/** The way of a legacy app to scopes, and how far it has come. */
export const MigrationState = Schema.Struct({
  /** Its scopes were not saved yet: requests are not validated. */
  legacy: Schema.Boolean,
  /** What an audit finds now; `null` for an app that was never without scopes. */
  audit: Schema.NullOr(MigrationAudit),
  migratedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** Requests without scope that were refused since then; `null` while no scopes were saved. */
  refused: Schema.NullOr(Refusals),
  /** Until when saved scopes can be taken back; `null` when they cannot. */
  undoUntil: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
export type MigrationState = typeof MigrationState.Type
