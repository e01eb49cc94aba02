import type { BackendFactory } from "bullmq"
import { Cause, Duration, Effect, Schema } from "effect"
import { messageOf } from "../../../domain/Cause.ts"
import * as Outages from "../../database/Outages.ts"
import * as OutageLog from "../../log/OutageLog.ts"

/** Database behind the queues: Redis or PostgreSQL. */
export interface QueueStore {
  readonly kind: "redis" | "postgres"
  readonly factory: BackendFactory
  readonly ping: () => Promise<unknown>
}

/** The store of the queues does not answer. */
export class QueuesUnavailable extends Schema.TaggedError<QueuesUnavailable>()("QueuesUnavailable", {
  message: Schema.String
}) {}

export const unavailable = (cause: unknown) => new QueuesUnavailable({ message: messageOf(cause) })

/**
 * Milliseconds after which a connection that owes an answer is replaced. That leaves the call the other half of its
 * time for a new connection.
 */
export const silenceLimit = (timeout: Duration.Duration): number => Duration.toMillis(timeout) / 2

/** Errors of queues and workers, and the calls that got no answer, are one outage in the log. */
const queueOutage = (reason: string): OutageLog.Outage => ({
  name: "queues",
  what: "Calls to the store of the queues fail. Jobs wait, and are done when it answers.",
  remedy: "Check that it runs, and that REDIS_URL, or without it DATABASE_URL, names it.",
  reason
})

/**
 * Logs what keeps a loop from its work: an outage as one with all others that it caused, anything else with its cause.
 */
export const logFailure = (message: string, cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  const error = Cause.squash(cause)
  return error instanceof QueuesUnavailable
    ? OutageLog.report(queueOutage(error.message))
    : Outages.logFailure(message, cause)
}

/** Reports the errors of queues and workers, of which there are many while the store is away. */
export const errorLogger = Effect.gen(function*() {
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  return (name: string, source: { on(event: "error", listener: (error: Error) => void): unknown }) => {
    source.on("error", ({ message }) => {
      runFork(Effect.annotateLogs(OutageLog.report(queueOutage(message)), { queue: name }))
    })
  }
})
