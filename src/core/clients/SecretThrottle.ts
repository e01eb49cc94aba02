import { Clock, Context, Duration, Effect, Layer } from "effect"
import { TooManyAttempts } from "../../domain/TooManyAttempts.ts"

/**
 * Limits brute force against the secrets of a client (RFC 6749 §2.3.1), counted per client and address. Only
 * `ClientAuthentication` calls it. The counts are in the memory of each node, so that refusing an attempt writes
 * nothing; N nodes together admit N times the limit.
 */
export class SecretThrottle extends Context.Service<SecretThrottle, {
  /** Fails once the address has reached the limit of wrong secrets for the client, even if the next one is right. */
  check(clientId: string, address: string): Effect.Effect<void, TooManyAttempts>
  /** Counts a wrong secret. */
  recordFailure(clientId: string, address: string): Effect.Effect<void>
}>()("slotkey/core/clients/SecretThrottle") {
  static readonly layer: Layer.Layer<SecretThrottle> = Layer.sync(SecretThrottle, () => {
    // In the order in which the windows began, so that the first entry is the oldest.
    const failures = new Map<string, Failures>()

    const currentWindow = (key: string, now: number) => {
      const known = failures.get(key)
      return known !== undefined && known.windowEndsAt > now ? known : undefined
    }

    const check = (clientId: string, address: string) =>
      failures.size === 0 ? Effect.void : Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const known = currentWindow(keyOf(clientId, address), now)
        return known === undefined || known.count < failureLimit
          ? Effect.void
          : Effect.fail(new TooManyAttempts({ retryAfter: Duration.millis(known.windowEndsAt - now) }))
      })

    const recordFailure = Effect.fnUntraced(function*(clientId: string, address: string) {
      const now = yield* Clock.currentTimeMillis
      const key = keyOf(clientId, address)
      const known = currentWindow(key, now) ?? { windowEndsAt: now + Duration.toMillis(window), count: 0 }
      known.count++
      if (known.count === 1) {
        failures.delete(key)
        failures.set(key, known)
        const [oldest] = failures.keys()
        if (failures.size > capacity && oldest !== undefined) failures.delete(oldest)
      }
      if (known.count === failureLimit) yield* Effect.logWarning("Too many wrong client secrets", { clientId, address })
    })

    return SecretThrottle.of({ check, recordFailure })
  })
}

/** The wrong secrets of one client that are admitted from one address in one window. */
export const failureLimit = 20
/** Begins with the first wrong secret; later ones do not extend it. */
export const window = Duration.minutes(15)

interface Failures {
  readonly windowEndsAt: number
  count: number
}

/** The clients and addresses that are counted at a time; beyond it the oldest windows are dropped. */
const capacity = 10_000

const keyOf = (clientId: string, address: string) => `${address} ${clientId}`
