import type { BackendFactory } from "bullmq"
import { Effect, Schema } from "effect"
import { messageOf } from "../../../domain/Cause.ts"

/** Where the queues are kept. */
export interface Store {
  readonly kind: "redis" | "postgres"
  readonly factory: BackendFactory
  readonly ping: () => Promise<unknown>
}

/** The queues cannot be reached now. */
export class QueuesUnavailable extends Schema.TaggedError<QueuesUnavailable>()("QueuesUnavailable", {
  message: Schema.String
}) {}

export const unavailable = (cause: unknown) => new QueuesUnavailable({ message: messageOf(cause) })

/** Logs the connection errors of queues and workers; the same one at most every half a minute. */
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
