import { Clock, Context, Duration, Effect, Layer } from "effect"
import { TooManyAttempts } from "../../domain/TooManyAttempts.ts"

/**
 * Limits brute force against the secrets of a client (RFC 6749 §2.3.1): per client from one address. Counted in the memory
 * of each node, so that a refusal writes nothing; N nodes admit N times the limit.
 */
export class SecretThrottle extends Context.Service<SecretThrottle, {
  /** Fails while the address has shown too many wrong secrets of the client, whatever it shows now. */
  admit(clientId: string, address: string): Effect.Effect<void, TooManyAttempts>
  /** A wrong secret was shown. */
  failed(clientId: string, address: string): Effect.Effect<void>
}>()("slotkey/core/clients/SecretThrottle") {
  static readonly layer: Layer.Layer<SecretThrottle> = Layer.sync(SecretThrottle, () => {
    // In the order in which the windows began.
    const failures = new Map<string, Failures>()

    const current = (key: string, now: number) => {
      const known = failures.get(key)
      return known !== undefined && known.windowEndsAt > now ? known : undefined
    }

    const admit = (clientId: string, address: string) =>
      failures.size === 0 ? Effect.void : Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const known = current(keyOf(clientId, address), now)
        return known === undefined || known.count < perClient
          ? Effect.void
          : Effect.fail(new TooManyAttempts({ retryAfter: Duration.millis(known.windowEndsAt - now) }))
      })

    const failed = Effect.fnUntraced(function*(clientId: string, address: string) {
      const now = yield* Clock.currentTimeMillis
      const key = keyOf(clientId, address)
      const known = current(key, now) ?? { windowEndsAt: now + Duration.toMillis(window), count: 0 }
      known.count++
      if (known.count === 1) {
        failures.delete(key)
        failures.set(key, known)
        const [oldest] = failures.keys()
        if (failures.size > capacity && oldest !== undefined) failures.delete(oldest)
      }
      if (known.count === perClient) yield* Effect.logWarning("Too many wrong client secrets", { clientId, address })
    })

    return SecretThrottle.of({ admit, failed })
  })
}

/** Wrong secrets of one client from one address in one window, which begins with the first and is not moved by others. */
export const perClient = 20
export const window = Duration.minutes(15)

interface Failures {
  readonly windowEndsAt: number
  count: number
}

const capacity = 10_000

const keyOf = (clientId: string, address: string) => `${address} ${clientId}`
