import { Effect, identity } from "effect"
import { messageOf } from "../../../domain/Cause.ts"
import { type Check, type Finding, finding } from "../../../foundation/operator/Readiness.ts"

/** Check that asks `what` over HTTP; where it cannot be reached, the finding has the status `otherwise`. */
export const httpCheck = <const Name extends string>(
  name: Name,
  otherwise: Check["otherwise"],
  what: string,
  ask: (signal: AbortSignal) => Promise<Finding>
): Check<Name> => ({
  name,
  otherwise,
  probe: Effect.match(Effect.tryPromise({ try: ask, catch: reasonOf }), {
    onFailure: (reason) => finding(otherwise, `${what} cannot be reached from here: ${reason}`),
    onSuccess: identity
  })
})

/** Reason of a request that failed; the message of `fetch` itself is only that it did. */
export const reasonOf = (cause: unknown): string =>
  messageOf(cause instanceof Error && cause.cause !== undefined ? cause.cause : cause)
