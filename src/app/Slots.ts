import type { Socket } from "node:net"
import type { RequestMetrics } from "../foundation/operator/RequestMetrics.ts"
import type { OutgoingResponse } from "./OutgoingResponse.ts"
import { respondBusy, type Setting } from "./ShortResponse.ts"

export interface Options extends Setting {
  /** Number of requests in work at a time. */
  readonly slots: number
  /**
   * Milliseconds that a request waits for a slot at most, and that it may take to arrive as a whole while it has one.
   * One that comes before its `Retry-After` waits for a second.
   */
  readonly timeout: number
  readonly metrics: RequestMetrics
}

/** A request in work. */
interface Slot {
  readonly response: OutgoingResponse
  /** Time by which it must have arrived as a whole (`performance.now()`). */
  readonly deadline: number
}

/** A request that waits for a slot. */
interface Waiting {
  readonly response: OutgoingResponse
  readonly start: () => void
  /** When it is refused. */
  readonly deadline: number
}

/**
 * Slots of requests in work, for `AdmissionControl`. It answers a function that starts a request as soon as it has a
 * slot, or refuses it.
 *
 * A connection that retries before its `Retry-After` is refused again, at the earliest when that time has passed.
 * Otherwise a thousand such connections would keep the server busy with refusals alone. Meanwhile its
 * request gets a slot that nobody else waits for.
 */
export const make = ({ metrics, slots, timeout, ...setting }: Options) => {
  // All in order of arrival. Arrays, because V8 holds on to what a Set or Map contained when entries come and go fast
  // (docs/decisions/speed.md); a WeakMap has no such problem.
  const inWork: Array<Slot> = []
  const waiting: Array<Waiting> = []
  const waitingAgain: Array<Waiting> = []
  const refusedUntil = new WeakMap<Socket, number>()
  let timer: NodeJS.Timeout | undefined
  let enforcedAt = 0

  const startWithSlot = (response: OutgoingResponse, start: () => void): void => {
    if (inWork.length < slots) return takeSlot(response, start)
    // Not left to the timer alone, which is late when the event loop is; nor done for each of the hundreds of requests
    // that one turn may bring.
    const now = performance.now()
    if (now - enforcedAt >= 1) enforceDeadlines(now)
    if (inWork.length < slots) return takeSlot(response, start)
    const isEarly = (refusedUntil.get(response.req.socket) ?? 0) > now
    if (isEarly) waitingAgain.push({ response, start, deadline: now + retryAfter })
    else waiting.push({ response, start, deadline: now + timeout })
    timer ??= setTimeout(onTimer, timeout)
  }

  const takeSlot = (response: OutgoingResponse, start: () => void): void => {
    const slot = { response, deadline: performance.now() + timeout }
    inWork.push(slot)
    // Frees the slot when the response is produced, not when the peer has read it.
    response.once("prefinish", () => freeSlot(slot))
    response.once("close", () => freeSlot(slot))
    timer ??= setTimeout(onTimer, timeout)
    start()
  }

  const freeSlot = (slot: Slot): void => {
    const at = inWork.indexOf(slot)
    if (at < 0) return
    inWork.splice(at, 1)
    for (let next = shift(); next !== undefined; next = shift()) {
      if (isUnanswered(next)) return takeSlot(next.response, next.start)
    }
  }

  const shift = (): Waiting | undefined => waiting.shift() ?? waitingAgain.shift()

  const onTimer = (): void => {
    const now = performance.now()
    enforceDeadlines(now)
    const arriving = inWork.find(({ deadline }) => deadline > now)
    const due = Math.min(...[arriving, waiting[0], waitingAgain[0]].map((next) => next?.deadline ?? Infinity))
    // A request that comes next may be due before all of these.
    timer = due === Infinity ? undefined : setTimeout(onTimer, Math.min(due - now, timeout))
  }

  const enforceDeadlines = (now: number): void => {
    enforcedAt = now
    // A request that has not arrived as a whole goes on without a slot, so that slow peers hold none.
    for (const slot of inWork.filter(({ deadline }) => deadline <= now)) {
      if (!slot.response.req.complete) freeSlot(slot)
    }
    for (const queue of [waiting, waitingAgain]) {
      const inTime = queue.findIndex(({ deadline }) => deadline > now)
      for (const { response } of queue.splice(0, inTime < 0 ? queue.length : inTime).filter(isUnanswered)) {
        metrics.shed()
        refusedUntil.set(response.req.socket, now + retryAfter)
        respondBusy(response, setting)
      }
    }
  }

  return startWithSlot
}

/** Not hung up meanwhile, nor answered because its time limit was over (`RequestTimeouts`). */
const isUnanswered = ({ response }: Waiting): boolean => !response.destroyed && !response.headersSent

/** Milliseconds after which a refused request may be sent again, by `Retry-After`. */
const retryAfter = 1000
