import type { IncomingMessage, ServerResponse } from "node:http"

interface Options {
  /** Limit of a request in milliseconds, from its start to the head of its response. */
  readonly limitOf: (request: IncomingMessage) => number
  /** Shortest of all limits. */
  readonly shortest: number
  /** Answers a request that is overdue. */
  readonly respond: (response: ServerResponse) => void
}

/** A request that has been started and whose response has not left as a whole. */
interface RequestInWork {
  readonly response: ServerResponse
  /** Time, by `performance.now()`, before which it is not overdue: first by the shortest limit, then by its own. */
  deadline: number
  hasOwnDeadline: boolean
  place: number
}

interface RequestTimeouts {
  start(response: ServerResponse): RequestInWork
  end(request: RequestInWork): void
  /** Requests that were started and did not end. */
  readonly inWork: ReadonlyArray<RequestInWork>
  /** When it was started, by `performance.now()`: worked out, so that no request has to carry it. */
  startOf(request: RequestInWork): number
}

/**
 * Answers requests that are not answered in time, whatever their handlers wait for. A response that has begun is left
 * alone: a download may take its time. `AdmissionControl` reports when requests start and end.
 *
 * All requests stand in one list with one timer, because nearly all of them have gone when it fires: so a request costs
 * a place in the list, and no timer or fiber of its own (docs/decisions/outages.md).
 */
export const make = ({ limitOf, respond, shortest }: Options): RequestTimeouts => {
  const inWork: Array<RequestInWork> = []
  let timer: NodeJS.Timeout | undefined

  const start = (response: ServerResponse): RequestInWork => {
    const request = { response, deadline: performance.now() + shortest, hasOwnDeadline: false, place: inWork.length }
    inWork.push(request)
    timer ??= setTimeout(onTimer, shortest).unref()
    return request
  }

  /** Takes a request off the list; the last one gets its place, so that it takes as long however many there are. */
  const end = (request: RequestInWork): void => {
    if (inWork[request.place] !== request) return
    const last = inWork.pop()
    if (last === undefined || last === request) return
    last.place = request.place
    inWork[last.place] = last
  }

  const startOf = ({ deadline, hasOwnDeadline, response }: RequestInWork): number =>
    deadline - (hasOwnDeadline ? limitOf(response.req) : shortest)

  const onTimer = (): void => {
    const now = performance.now()
    for (const request of inWork.filter(({ deadline }) => deadline <= now)) {
      if (!request.hasOwnDeadline) {
        request.hasOwnDeadline = true
        request.deadline += limitOf(request.response.req) - shortest
      }
      if (request.deadline <= now) enforce(request)
    }
    const due = inWork.reduce((least, { deadline }) => Math.min(least, deadline), Infinity)
    timer = due === Infinity ? undefined : setTimeout(onTimer, Math.max(due - now, resolution)).unref()
  }

  const enforce = (request: RequestInWork): void => {
    end(request)
    const { response } = request
    if (!response.headersSent && !response.destroyed) respond(response)
  }

  return { start, end, inWork, startOf }
}

/** Milliseconds that an answer may be late, so that many slow requests do not keep the timer busy. */
const resolution = 100
