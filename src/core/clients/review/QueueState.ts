import { Schema } from "effect"
import { ClientStatus } from "../records/Client.ts"

/**
 * Apps that a reviewer looks at. `waiting` are those with something to decide, except those whose owner has a question
 * to answer first (`asked`) and those that nobody registered by hand (`imported`); `changes`, `risk3` and `overdue`
 * are some of them. `mine` are those that the reader has claimed, of `reported` ones users told something that no
 * reviewer has dealt with, and `ownerless` ones have nobody left who could look after them.
 */
export const QueueState = Schema.Literals([
  "waiting",
  "changes",
  "risk3",
  "overdue",
  "mine",
  "asked",
  "imported",
  "reported",
  "ownerless",
  ...ClientStatus.literals,
  "all"
])
export type QueueState = typeof QueueState.Type

/** Number of apps in each state; many are in several. */
export const QueueCounts = Schema.Record(QueueState, Schema.Int)
export type QueueCounts = typeof QueueCounts.Type

/** What the list may be narrowed and ordered by, as addresses have it. */
export const QueueWish = {
  state: QueueState,
  /** Highest risk of what a decision is about. */
  risk: Schema.Literals(["0", "1", "2", "3"]),
  /** Id of an area of the catalogue; apps that nothing restricts are in each. */
  area: Schema.String.check(Schema.isMaxLength(100)),
  /** Tells if somebody has claimed the app. */
  claimed: Schema.Literals(["yes", "no"]),
  /** Order of the apps: by time, or by risk or owner first. */
  sort: Schema.Literals(["oldest", "risk", "owner"])
}
export type QueueWish = { readonly [Name in keyof typeof QueueWish]?: typeof QueueWish[Name]["Type"] | undefined }
