import { Schema } from "effect"
import { ClientStatus } from "../records/Client.ts"

/**
 * Apps that a reviewer looks at; `waiting` are those with something to decide, except those whose owner has a question
 * to answer first (`asked`), and `reported` those of which users told something that no reviewer has dealt with.
 */
export const QueueState = Schema.Literals(["waiting", "asked", "reported", ...ClientStatus.literals, "all"])
export type QueueState = typeof QueueState.Type

/** Number of apps in each state; an approved one with a change that waits is in two, one that was reported as well. */
export const QueueCounts = Schema.Record(QueueState, Schema.Int)
export type QueueCounts = typeof QueueCounts.Type
