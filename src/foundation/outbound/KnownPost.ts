import { Duration, Effect, Schema } from "effect"

/** The receiver gave no answer. */
class NotAnswered extends Schema.TaggedError<NotAnswered>()("NotAnswered", { message: Schema.String }) {}

/**
 * Posts to an address that the settings name, or to one of this machine, and tells the status of the answer. It follows
 * no redirect, and reads nothing else of the answer.
 */
export const postKnown = Effect.fnUntraced(function*(
  url: string,
  { body, headers }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  limit: Duration.Duration
) {
  return yield* Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(url, {
        method: "POST",
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(Duration.toMillis(limit))]),
        headers,
        body
      })
      await response.body?.cancel()
      return response.status
    },
    catch: (cause) => new NotAnswered({ message: causeOf(cause) })
  })
})

const causeOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error ? `${cause.message}: ${cause.cause.message}` : cause.message
}
