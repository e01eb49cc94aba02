import { Schema } from "effect"
import { MigrationAudit } from "./MigrationAudit.ts"

/** The authorization requests without scope that were refused since the scopes of a client were saved. */
export const Refusals = Schema.Struct({
  requests: Schema.Int,
  lastAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
export type Refusals = typeof Refusals.Type

/** A word in `scope` that is no scope of ours: ignored in a legacy app's requests as its old server did. */
export const IgnoredWord = Schema.Struct({
  word: Schema.String,
  requests: Schema.Int,
  lastAt: Schema.DateTimeUtcFromDate
})
export type IgnoredWord = typeof IgnoredWord.Type

/** The progress of a legacy app on its way to scopes. */
export const MigrationState = Schema.Struct({
  /** True until its scopes are saved: requests are not validated. */
  legacy: Schema.Boolean,
  /** The findings of an audit made now; `null` for an app that always had scopes. */
  audit: Schema.NullOr(MigrationAudit),
  /** Live grants from the server before whose apps have not presented a refresh token of ours yet. */
  unrotatedGrants: Schema.Int,
  /** The words that its requests of the last days named beside our scopes; once scopes are saved they are refused. */
  ignoredWords: Schema.Array(IgnoredWord),
  migratedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** Requests without scope refused since `migratedAt`; `null` while no scopes are saved. */
  refused: Schema.NullOr(Refusals),
  /** The end of the time in which saved scopes can be taken back; `null` when they cannot. */
  undoUntil: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
export type MigrationState = typeof MigrationState.Type
