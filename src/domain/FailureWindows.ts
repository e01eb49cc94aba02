import { Duration } from "effect"
import { networksOf } from "./CallerNetwork.ts"

/**
 * Counts failed attempts at a subject from each network, in the memory of this process. A window begins with its first
 * failure; later ones do not extend it. Times are milliseconds of the epoch.
 */
export class FailureWindows {
  readonly #limit: number
  readonly #windowMillis: number
  readonly #capacity: number
  // In the order in which the windows began, so that the first entry is the oldest.
  readonly #failures = new Map<string, { readonly endsAt: number; count: number }>()

  /** Admits `limit` failures a window. Counts `capacity` keys at a time; beyond it the oldest windows are dropped. */
  constructor(options: { readonly limit: number; readonly window: Duration.Duration; readonly capacity: number }) {
    this.#limit = options.limit
    this.#windowMillis = Duration.toMillis(options.window)
    this.#capacity = options.capacity
  }

  get isEmpty(): boolean {
    return this.#failures.size === 0
  }

  /** Returns the time until the address may try again, if it or a network of it has used up its failures. */
  retryAfter(subject: string, address: string, now: number): Duration.Duration | undefined {
    const full = networksOf(address).flatMap(({ name, share }) => {
      const known = this.#current(keyOf(subject, name), now)
      return known === undefined || known.count < this.#limit * share ? [] : [known.endsAt]
    })
    return full.length === 0 ? undefined : Duration.millis(Math.max(...full) - now)
  }

  /** Counts a failure; returns the network whose limit it uses up. */
  add(subject: string, address: string, now: number): string | undefined {
    const full = networksOf(address).filter(({ name, share }) =>
      this.#count(keyOf(subject, name), now) === this.#limit * share
    )
    return full[0]?.name
  }

  #count(key: string, now: number): number {
    const known = this.#current(key, now) ?? { endsAt: now + this.#windowMillis, count: 0 }
    known.count++
    if (known.count === 1) {
      this.#failures.delete(key)
      this.#failures.set(key, known)
      const [oldest] = this.#failures.keys()
      if (this.#failures.size > this.#capacity && oldest !== undefined) this.#failures.delete(oldest)
    }
    return known.count
  }

  #current(key: string, now: number) {
    const known = this.#failures.get(key)
    return known !== undefined && known.endsAt > now ? known : undefined
  }
}

const keyOf = (subject: string, network: string) => `${network} ${subject}`
