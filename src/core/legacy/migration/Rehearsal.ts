import { Schema } from "effect"
import { ScopeName } from "../../../domain/scopes/Scope.ts"

/** Calls of the last days as they would have ended with tokens that have these scopes. */
export const RehearsedCalls = Schema.Struct({
  scopes: Schema.Array(ScopeName),
  /** Calls that were allowed. */
  calls: Schema.Int,
  /** Those among them that would have been refused. */
  refusedCalls: Schema.Int
})
export type RehearsedCalls = typeof RehearsedCalls.Type

/** Same with the users whose calls these were. */
export const Rehearsal = Schema.Struct({
  ...RehearsedCalls.fields,
  /** Users who have the app and whose calls would have been refused. */
  refusedUsers: Schema.Int,
  /** False if the app has more grants than are looked at: then there are more such users. */
  isComplete: Schema.Boolean
}).annotate({ identifier: "Rehearsal" })
export type Rehearsal = typeof Rehearsal.Type
