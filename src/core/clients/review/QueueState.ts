import { Schema } from "effect"
import { ClientStatus } from "../records/Client.ts"

/**
 * Apps that a reviewer looks at: `waiting` are those with something to decide, except those whose owner has a question
 * to answer first (`asked`).
 */
export const QueueState = Schema.Literals(["waiting", "asked", ...ClientStatus.literals, "all"])
export type QueueState = typeof QueueState.Type

/** Number of apps in each state; one that was approved and has a change that waits is in two. */
export const QueueCounts = Schema.Record(QueueState, Schema.Int)
export type QueueCounts = typeof QueueCounts.Type
