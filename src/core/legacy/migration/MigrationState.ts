import { Schema } from "effect"
import { ScopeName } from "../../../domain/scopes/Scope.ts"
import { Blindness } from "./Blindness.ts"
import { MigrationAudit } from "./MigrationAudit.ts"
import { RefusedCall } from "./RefusedCall.ts"
import { Rehearsal } from "./Rehearsal.ts"

/** Whatever was refused since the scopes of a client were saved, and because of it. */
export const Refusals = Schema.Struct({
  /** All of them; the numbers below are the parts of this one. */
  requests: Schema.Int,
  lastAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** Authorization requests that named no scope. */
  withoutScope: Schema.Int,
  /** Authorization requests that named scopes which are not saved, or none of the known ones. */
  refusedScopes: Schema.Int,
  /** API calls with a token that lacks the scope (`insufficient_scope`), the day of the saving included. */
  refusedCalls: Schema.Int,
  /** Refreshes of old grants that ended when their user authorized the app again. */
  supersededGrants: Schema.Int
}).annotate({ identifier: "Refusals" })
export type Refusals = typeof Refusals.Type

/** A word in `scope` that is no scope of ours: ignored in a legacy app's requests as its old server did. */
export const IgnoredWord = Schema.Struct({
  word: Schema.String,
  requests: Schema.Int,
  lastAt: Schema.DateTimeUtcFromDate
}).annotate({ identifier: "IgnoredWord" })
export type IgnoredWord = typeof IgnoredWord.Type

/**
 * A scope that a legacy app was seen to use: how many of its requests named it, and how many of its API calls needed
 * it.
 */
const SeenScope = Schema.Struct({
  scope: ScopeName,
  /** Others any of which would have done as well for the calls. */
  or: Schema.optionalKey(Schema.Array(ScopeName)),
  /** Others that the calls needed, too. */
  and: Schema.optionalKey(Schema.Array(ScopeName)),
  requests: Schema.Int,
  calls: Schema.Int
}).annotate({ identifier: "SeenScope" })

/** Progress of a legacy app on its way to scopes. */
export const MigrationState = Schema.Struct({
  /** True until its scopes are saved: requests are not validated. */
  legacy: Schema.Boolean,
  /** Findings of an audit made now; `null` for an app that always had scopes. */
  audit: Schema.NullOr(MigrationAudit),
  /** Scopes that were seen: those that requests named, and those that API calls needed. */
  seen: Schema.Array(SeenScope),
  /** From when on calls are counted, why not all are known, and how many no scope covers. */
  calls: Schema.Struct({
    since: Schema.DateTimeUtcFromDate,
    blindness: Schema.NullOr(Blindness),
    uncovered: Schema.Int
  }).annotate({ identifier: "CountedCalls" }),
  /** Scopes that were seen and should be saved. */
  suggested: Schema.Array(ScopeName),
  /** Migration with scopes that were asked about, or that wait for their review, or else those that are suggested. */
  rehearsal: Rehearsal,
  /** Beginning of the observation, and the time at which it has lasted long enough. */
  observation: Schema.Struct({ since: Schema.DateTimeUtcFromDate, until: Schema.DateTimeUtcFromDate }),
  /** Live grants from the server before whose apps have not presented a refresh token of ours yet. */
  unrotatedGrants: Schema.Int,
  /** Words that its requests of the last days named beside our scopes; once scopes are saved they are refused. */
  ignoredWords: Schema.Array(IgnoredWord),
  /** API calls of the last days that were refused, whether or not scopes are saved. */
  refusedCalls: Schema.Array(RefusedCall),
  migratedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** Refusals since `migratedAt`; `null` while no scopes are saved. */
  refused: Schema.NullOr(Refusals),
  /** End of the time in which saved scopes can be taken back; `null` when they cannot. */
  undoUntil: Schema.NullOr(Schema.DateTimeUtcFromDate)
}).annotate({ identifier: "MigrationState" })
export type MigrationState = typeof MigrationState.Type
