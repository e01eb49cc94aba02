import { Duration } from "effect"
import type { Misfit, Refusal } from "./Verdict.ts"

/**
 * Recent answers that brought no grant, in the memory of this process: an app that goes on sending a token does not
 * have the previous server asked each time. Times are milliseconds of the epoch.
 */
export class RecentRefusals {
  // In the order in which they came, so that the first entry is the oldest.
  readonly #refusals = new Map<string, { readonly refusal: Misfit | Refusal; readonly until: number }>()

  add(key: string, refusal: Misfit | Refusal, now: number): void {
    this.#refusals.delete(key)
    this.#refusals.set(key, { refusal, until: now + rememberedFor })
    const [oldest] = this.#refusals.keys()
    if (this.#refusals.size > capacity && oldest !== undefined) this.#refusals.delete(oldest)
  }

  find(key: string, now: number): Misfit | Refusal | undefined {
    const found = this.#refusals.get(key)
    return found !== undefined && found.until > now ? found.refusal : undefined
  }
}

/** Short, because a user may get an account here, and an operator may mend the settings of either server. */
const rememberedFor = Duration.toMillis(Duration.minutes(10))

/** More than the budgets of a few addresses can bring in that time; the oldest go first. */
const capacity = 10_000
