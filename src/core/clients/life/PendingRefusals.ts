import type { UserId } from "../../../domain/Ids.ts"
import type { RefusalEndpoint } from "./RefusedRequest.ts"

/** A refused request that is not written yet. */
export interface PendingRefusal {
  readonly at: Date
  /** Client that the request names; `undefined` where it names none. It may not exist, because anybody can name one. */
  readonly clientId: string | undefined
  readonly userId: UserId | undefined
  readonly endpoint: RefusalEndpoint
  readonly error: string
  readonly reason: string
  readonly reference: string | undefined
  /** Number of equal requests for which it stands. */
  times: number
}

/**
 * Refused requests that wait for the next write: of each source a few, so that a flood of one source leaves room for
 * the others. Beyond, equal requests of one client are counted, those of another are dropped, and of unequal ones the
 * earliest.
 */
export class PendingRefusals {
  #bySource = new Map<string, Array<PendingRefusal>>()
  #count = 0

  /** Adds one of this source. */
  add(source: string, refusal: PendingRefusal): void {
    const same = this.#bySource.get(source) ?? []
    if (same.length < perSource && this.#count < capacity) {
      this.#count++
      if (same.push(refusal) === 1) this.#bySource.set(source, same)
      return
    }
    const equal = same.find(({ error, reason }) => error === refusal.error && reason === refusal.reason)
    // The room of clients that may be made up holds several: none has the requests of another on its page.
    if (equal !== undefined) equal.times += equal.clientId === refusal.clientId ? 1 : 0
    else if (same.shift() !== undefined) same.push(refusal)
  }

  /** All that wait, the earliest first. None waits any more. */
  take(): ReadonlyArray<PendingRefusal> {
    const all = [...this.#bySource.values()].flat().sort((one, other) => one.at.getTime() - other.at.getTime())
    this.#bySource = new Map()
    this.#count = 0
    return all
  }
}

const perSource = 50
const capacity = 1_000
