import { Schema } from "effect"
import { ScopeName } from "../../domain/scopes/Scope.ts"

/** A scope that some users of an app have not given. */
const LackedScope = Schema.Struct({
  scope: ScopeName,
  /** True if users may decline it. */
  isOptional: Schema.Boolean,
  /** Number of users who have not answered yet, or declined it before the app required it. */
  lacking: Schema.Int,
  /** Number of users who declined it. */
  declined: Schema.Int
}).annotate({ identifier: "LackedScope" })

/** How many users of an app have not given what it may ask for. */
export const Lacking = Schema.Struct({
  /** Number of users with a live grant. */
  users: Schema.Int,
  /** True if all of them were counted; else each number is the least. */
  isComplete: Schema.Boolean,
  /** Number of users who lack a scope, or several. */
  lacking: Schema.Int,
  /** In catalogue order, without those that every user has given. */
  scopes: Schema.Array(LackedScope)
})
export type Lacking = typeof Lacking.Type
