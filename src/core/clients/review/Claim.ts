import { Schema } from "effect"
import { UserId } from "../../../domain/Ids.ts"

/** Says to the other reviewers who looks at an app. It locks nothing: the first decision counts. */
export const Claim = Schema.Struct({
  reviewer: UserId,
  at: Schema.DateTimeUtcFromDate,
  /** Moment when it ends by itself. */
  endsAt: Schema.DateTimeUtcFromDate
}).annotate({ identifier: "Claim" })
export type Claim = typeof Claim.Type
