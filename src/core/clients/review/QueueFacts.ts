import { Schema } from "effect"
import { UserId } from "../../../domain/Ids.ts"

const count = Schema.Int

/** What the queue says of an app beside what is registered. */
export const QueueFacts = Schema.Struct({
  /** From when the app counts as waiting, without the time in which its owner was asked; `null` if it does not wait. */
  waitingSince: Schema.NullOr(Schema.DateTimeUtcFromString),
  isAsked: Schema.Boolean,
  /** Its owner has answered a question of a reviewer. */
  isAnswered: Schema.Boolean,
  /** It waits longer than `REVIEW_REMINDER_AFTER`. */
  isOverdue: Schema.Boolean,
  /** It waits as it came from another server; nobody registered it by hand. */
  isImported: Schema.Boolean,
  /** Number of users who have reported the app since a reviewer last dealt with that. */
  reports: count,
  /** Number of users who wait for the decision (`ReviewWishes`). */
  wishes: count,
  /** Nobody is left who could look after it. */
  isOwnerless: Schema.Boolean,
  claim: Schema.NullOr(Schema.Struct({ reviewer: UserId, at: Schema.DateTimeUtcFromString })),
  /** Number of apps of the same owner in each state, and of all of them. */
  ownerRecord: Schema.Struct({ approved: count, rejected: count, suspended: count, apps: count })
})
export type QueueFacts = typeof QueueFacts.Type
