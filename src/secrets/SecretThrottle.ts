import { Clock, Context, Duration, Effect, Layer } from "effect"
import { TooManyAttempts } from "../domain/TooManyAttempts.ts"

/**
 * Slows down who guesses the secrets of a client (RFC 6749 §2.3.1): per client from one address. In the memory of the node,
 * for who is refused costs no write; as many times as there are nodes may be guessed.
 */
export class SecretThrottle extends Context.Service<SecretThrottle, {
  /** Fails while the address has shown too many wrong secrets of the client, whatever it shows now. */
  admit(clientId: string, address: string): Effect.Effect<void, TooManyAttempts>
  /** A wrong secret was shown. */
  failed(clientId: string, address: string): Effect.Effect<void>
}>()("slotkey/secrets/SecretThrottle") {
  static readonly layer: Layer.Layer<SecretThrottle> = Layer.sync(SecretThrottle, () => {
    // The window that began first is the first.
    const windows = new Map<string, { readonly endsAt: number; count: number }>()

    const current = (key: string, now: number) => {
      const window = windows.get(key)
      return window !== undefined && window.endsAt > now ? window : undefined
    }

    const admit = (clientId: string, address: string) =>
      windows.size === 0 ? Effect.void : Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const window = current(keyOf(clientId, address), now)
        return window === undefined || window.count < limit
          ? Effect.void
          : Effect.fail(new TooManyAttempts({ retryAfter: Duration.millis(window.endsAt - now) }))
      })

    const failed = (clientId: string, address: string) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const key = keyOf(clientId, address)
        const window = current(key, now)
        if (window !== undefined) {
          window.count++
          return
        }
        windows.delete(key)
        windows.set(key, { endsAt: now + Duration.toMillis(length), count: 1 })
        const [oldest] = windows.keys()
        if (windows.size > capacity && oldest !== undefined) windows.delete(oldest)
      })

    return SecretThrottle.of({ admit, failed })
  })
}

/** Wrong secrets in one window. The window begins with the first and is not moved by others, so waiting always helps. */
export const limit = 20
export const length = Duration.minutes(15)

const capacity = 10_000

const keyOf = (clientId: string, address: string) => `${address} ${clientId}`
