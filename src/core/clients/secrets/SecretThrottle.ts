import { Clock, Duration, Effect } from "effect"
import { FailureWindows } from "../../../domain/FailureWindows.ts"
import { TooManyAttempts } from "../../../domain/TooManyAttempts.ts"
import * as SecurityEvents from "../../audit/SecurityEvents.ts"

/**
 * Limits brute force against the secrets of a client (RFC 6749 §2.3.1), counted per client and address. Only
 * `ClientAuthentication` calls it. The counts are in the memory of each node, so that refusing an attempt writes
 * nothing; N nodes together admit N times the limit.
 */
export const secretThrottle = Effect.sync(() => {
  const failures = new FailureWindows({ limit: failureLimit, window, capacity })

  /** Fails once the address has reached the limit of wrong secrets for the client, even if the next one is right. */
  const check = (clientId: string, address: string) =>
    failures.isEmpty ? Effect.void : Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const retryAfter = failures.retryAfter(clientId, address, now)
      return retryAfter === undefined ? Effect.void : Effect.fail(new TooManyAttempts({ retryAfter }))
    })

  const recordFailure = Effect.fnUntraced(function*(clientId: string, address: string) {
    const lockedOut = failures.add(clientId, address, yield* Clock.currentTimeMillis)
    if (lockedOut === undefined) return
    yield* SecurityEvents.report("client.locked_out", { client_id: clientId, address: lockedOut })
  })

  return { check, recordFailure }
})

/** Wrong secrets of one client that are admitted from one address in one window. */
export const failureLimit = 20
/** Begins with the first wrong secret; later ones do not extend it. */
export const window = Duration.minutes(15)

/** Clients and addresses that are counted at a time. */
const capacity = 10_000
