import type { BackendFactory } from "bullmq"
import { Duration, Effect, Schema } from "effect"
import { messageOf } from "../../../domain/Cause.ts"

/** The database behind the queues: Redis or PostgreSQL. */
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
 * The milliseconds after which a connection that owes an answer is replaced. That leaves the call the other half of its
 * time for a new connection.
 */
export const silenceLimit = (timeout: Duration.Duration): number => Duration.toMillis(timeout) / 2

/** Logs the connection errors of queues and workers; one with the same text at most every 30 seconds. */
export const errorLogger = Effect.gen(function*() {
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const logged = new Map<string, number>()
  return (name: string, source: { on(event: "error", listener: (error: Error) => void): unknown }) => {
    source.on("error", ({ message }) => {
      const now = performance.now()
      if (now - (logged.get(message) ?? -Infinity) < 30_000) return
      logged.set(message, now)
      runFork(Effect.logWarning("A queue reports an error", { queue: name, error: message }))
    })
  }
})
