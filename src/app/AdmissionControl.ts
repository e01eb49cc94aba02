import { createServer, type IncomingMessage, type Server } from "node:http"
import type { Socket } from "node:net"
import type { RequestMetrics } from "../foundation/operator/RequestMetrics.ts"
import { CountedResponse } from "./CountedResponse.ts"
import * as RequestTimeouts from "./RequestTimeouts.ts"
import { isForApi, isTokenRequest, respondBusy, respondHostMissing, respondOverdue } from "./ShortResponse.ts"

export interface Options {
  /** The number of API requests in work at a time. */
  readonly slots: number
  /** Milliseconds that a request waits for a slot at most, and that it may take to arrive as a whole while it has one. */
  readonly timeout: number
  /** Milliseconds from the start of a token request, or of the check of an API call, to its response. */
  readonly tokenTimeout: number
  /** The same for pages and the management API. */
  readonly requestTimeout: number
  /** The headers of every response. */
  readonly headers: Readonly<Record<string, string>>
  readonly metrics: RequestMetrics
  /** Learns once that requests come through a proxy. */
  readonly onForwarded?: () => void
}

/** The server, and what a stop needs of it (`Drain`). */
export interface AdmittingServer extends Server {
  /** Has connections closed with their next answer, requests in work included; `false` keeps them open again. */
  closeWithAnswers(yes: boolean): void
  /** The number of requests that were started and are not answered as a whole. */
  readonly requestsInWork: () => number
}

/** An API request in work. */
interface Slot {
  readonly response: CountedResponse
  /** The time by which it must have arrived as a whole (`performance.now()`). */
  readonly deadline: number
}

/** An API request that waits for a slot. */
interface Waiting {
  readonly response: CountedResponse
  readonly start: () => void
  /** The time at which it is answered with 503. */
  readonly deadline: number
}

/**
 * An HTTP server that limits the API requests in work. The others wait for a slot, and after the timeout are answered
 * with 503 and `Retry-After`, before any work is done for them: so whatever is started can be finished. `Server` listens
 * with it.
 *
 * Pages need no slot, because people come one by one, and neither do preflights, whose failure a browser does not
 * explain. Requests of one connection are started one after the other, because their answers leave in that order anyway
 * (RFC 9112 §9.3.2). All of them, pages included, are answered within their time limit, by `RequestTimeouts` at the latest.
 */
export const make = (
  { headers, metrics, onForwarded, requestTimeout, slots, timeout, tokenTimeout }: Options
): AdmittingServer => {
  const server = createServer({
    ServerResponse: CountedResponse,
    // No other protocol is spoken here, so a request that offers to upgrade is one like any other.
    shouldUpgradeCallback: () => false,
    // A proxy that reuses a connection just when it is closed here loses the request: so it is the proxy that closes it.
    // Those of nginx do after 60 s, of Caddy after 2 minutes, of Google's balancers after 10.
    keepAliveTimeout: 620_000,
    // Node would answer such a request past the order and the limits of its connection.
    requireHostHeader: false
  })
  const emit = server.emit.bind(server)
  // The requests of each connection that were sent ahead of the answer to the one before.
  const pipelined = new WeakMap<Socket, Array<() => void>>()
  // Both in order of arrival. Arrays, because V8 holds on to what a Set or Map contained when entries come and go fast
  // (docs/decisions.md); a WeakMap has no such problem.
  const inWork: Array<Slot> = []
  const waiting: Array<Waiting> = []
  let timer: NodeJS.Timeout | undefined
  let enforcedAt = 0
  // Until somebody says, as the port is.
  let closesWithAnswers: boolean | undefined
  let isForwarded = onForwarded === undefined
  const timeouts = RequestTimeouts.make({
    limitOf: (request) => isTokenRequest(request) ? tokenTimeout : requestTimeout,
    shortest: Math.min(tokenTimeout, requestTimeout),
    respond: (response) => respondOverdue(response, headers)
  })

  /** Starts a request at its turn on its connection. */
  const startInOrder = (response: CountedResponse, start: () => void): void => {
    const { socket } = response.req
    const others = pipelined.get(socket)
    if (others === undefined) {
      pipelined.set(socket, [])
      return startThenNext(response, start)
    }
    others.push(() => startThenNext(response, start))
    if (others.length > maxPipelined) socket.destroy()
  }

  const startThenNext = (response: CountedResponse, start: () => void): void => {
    const { socket } = response.req
    const request = timeouts.start(response)
    response.once("close", () => {
      timeouts.end(request)
      metrics.record(response, (performance.now() - timeouts.startOf(request)) / 1000, response.error)
      // Nothing more is done for a peer that cannot be answered (RFC 9112 §9.6).
      const next = socket.writable ? pipelined.get(socket)?.shift() : undefined
      if (next === undefined) pipelined.delete(socket)
      else next()
    })
    if (closesWithAnswers ?? !server.listening) response.setHeader("connection", "close")
    start()
  }

  const startWithSlot = (response: CountedResponse, start: () => void): void => {
    if (inWork.length < slots) return takeSlot(response, start)
    // Not left to the timer alone, which is late when the event loop is; nor done for each of the hundreds of requests
    // that one turn may bring.
    const now = performance.now()
    if (now - enforcedAt >= 1) enforceDeadlines(now)
    if (inWork.length < slots) return takeSlot(response, start)
    waiting.push({ response, start, deadline: now + timeout })
    timer ??= setTimeout(onTimer, timeout)
  }

  const takeSlot = (response: CountedResponse, start: () => void): void => {
    const slot = { response, deadline: performance.now() + timeout }
    inWork.push(slot)
    // The slot is freed when the response is produced, not when the peer has read it.
    response.once("prefinish", () => freeSlot(slot))
    response.once("close", () => freeSlot(slot))
    timer ??= setTimeout(onTimer, timeout)
    start()
  }

  const freeSlot = (slot: Slot): void => {
    const at = inWork.indexOf(slot)
    if (at < 0) return
    inWork.splice(at, 1)
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      // A peer that hung up meanwhile needs no slot.
      if (!next.response.destroyed) return takeSlot(next.response, next.start)
    }
  }

  const onTimer = (): void => {
    const now = performance.now()
    enforceDeadlines(now)
    const arriving = inWork.find(({ deadline }) => deadline > now)
    const due = Math.min(arriving?.deadline ?? Infinity, waiting[0]?.deadline ?? Infinity)
    timer = due === Infinity ? undefined : setTimeout(onTimer, due - now)
  }

  const enforceDeadlines = (now: number): void => {
    enforcedAt = now
    // A request that has not arrived as a whole goes on without a slot, so that slow peers hold none.
    for (const slot of inWork.filter(({ deadline }) => deadline <= now)) {
      if (!slot.response.req.complete) freeSlot(slot)
    }
    const inTime = waiting.findIndex(({ deadline }) => deadline > now)
    for (const { response } of waiting.splice(0, inTime < 0 ? waiting.length : inTime)) {
      metrics.shed()
      respondBusy(response, headers)
    }
  }

  const closeWithAnswers = (yes: boolean): void => {
    closesWithAnswers = yes
    if (!yes) return
    for (const { response } of timeouts.inWork) if (!response.headersSent) response.setHeader("connection", "close")
  }

  server.emit = (event: string, ...args: Array<unknown>) => {
    if (event !== "request" && event !== "checkContinue") return emit(event, ...args)
    const [request, response] = args as [IncomingMessage, CountedResponse]
    if (!isForwarded && request.headers["x-forwarded-for"] !== undefined) {
      isForwarded = true
      onForwarded?.()
    }
    const start = lacksHost(request) ? () => respondHostMissing(response, headers) : () => void emit(event, ...args)
    const needsSlot = isForApi(request) && request.method !== "OPTIONS"
    startInOrder(response, needsSlot ? () => startWithSlot(response, start) : start)
    return true
  }
  return Object.assign(server, { closeWithAnswers, requestsInWork: () => timeouts.inWork.length })
}

const lacksHost = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers.host === undefined && httpVersion === "1.1"

/** No client sends as many requests ahead of their answers; a connection with more is closed. */
const maxPipelined = 100
