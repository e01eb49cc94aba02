import { Duration } from "effect"

/**
 * Counts the failed attempts of each key, in the memory of this process. The window of a key begins with its first
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

  /** Returns the time until the key may try again, if it has used up its failures. */
  retryAfter(key: string, now: number): Duration.Duration | undefined {
    const known = this.#current(key, now)
    return known === undefined || known.count < this.#limit ? undefined : Duration.millis(known.endsAt - now)
  }

  /** Counts a failure; `true` for the one that uses up the limit. */
  add(key: string, now: number): boolean {
    const known = this.#current(key, now) ?? { endsAt: now + this.#windowMillis, count: 0 }
    known.count++
    if (known.count === 1) {
      this.#failures.delete(key)
      this.#failures.set(key, known)
      const [oldest] = this.#failures.keys()
      if (this.#failures.size > this.#capacity && oldest !== undefined) this.#failures.delete(oldest)
    }
    return known.count === this.#limit
  }

  #current(key: string, now: number) {
    const known = this.#failures.get(key)
    return known !== undefined && known.endsAt > now ? known : undefined
  }
}
