import { Schema } from "effect"

/** What the owner of an app that waits may know of the queue. */
export const Waiting = Schema.Struct({
  /** Place in the queue as it is: 1 is looked at next. An app whose owner has answered a question goes ahead. */
  place: Schema.Int,
  /** Time that a review takes (`usualReview`); `null` where too few were made lately to say. */
  usualSeconds: Schema.NullOr(Schema.Int)
}).annotate({ identifier: "Waiting" })
export type Waiting = typeof Waiting.Type
