import { createServer, type Server } from "node:http"
import type { Socket } from "node:net"
import { isForApi, isTokenRequest } from "../foundation/http/ApiPaths.ts"
import { namesOneHost } from "./HostField.ts"
import { OutgoingResponse } from "./OutgoingResponse.ts"
import * as RequestTimeouts from "./RequestTimeouts.ts"
import { respondNoHost, respondOverdue } from "./ShortResponse.ts"
import * as Slots from "./Slots.ts"

interface Options extends Slots.Options {
  /** Milliseconds from the start of a token request, or of the check of an API call, to its response. */
  readonly tokenTimeout: number
  /** Same for pages and the management API. */
  readonly requestTimeout: number
  /** Learns once that requests come through a proxy. */
  readonly onForwarded?: () => void
}

/** Server, and what a stop needs of it (`Drain`). */
export interface AdmittingServer extends Server {
  /** Closes connections with their next answer, those of requests in work included; `false` keeps them open again. */
  closeWithAnswers(yes: boolean): void
  /** Starts no request until the answer is called; those that come wait. */
  hold(): () => void
  /** Number of requests that were started and are not answered as a whole. */
  readonly requestsInWork: () => number
}

/**
 * An HTTP server that limits the API requests in work. Others wait briefly for a slot (a second where they come
 * before their `Retry-After`: `Slots`), then get 503 with `Retry-After`, before any work is done for them: so whatever
 * is started can be finished. `Server` listens with it.
 *
 * Pages need no slot, because people come one by one, and neither do preflights, whose failure a browser does not
 * explain. Requests of one connection are started one after the other, because their answers leave in that order anyway
 * (RFC 9112 §9.3.2). All of them, pages included, are answered within their time limit, by `RequestTimeouts` at the
 * latest.
 */
export const make = (
  { metrics, onForwarded, requestTimeout, slots, timeout, tokenTimeout, ...setting }: Options
): AdmittingServer => {
  const server = createServer({
    ServerResponse: OutgoingResponse,
    // No other protocol is spoken here, so a request that offers to upgrade is one like any other.
    shouldUpgradeCallback: () => false,
    // A proxy that reuses a connection just when it is closed here loses the request: so it is the proxy that closes
    // it. Connections of nginx do after 60 s, of Caddy after 2 minutes, of Google's balancers after 10.
    keepAliveTimeout: 620_000,
    // Node would answer such a request past the order and the limits of its connection.
    requireHostHeader: false
  })
  const emit = server.emit.bind(server)
  // Requests of each connection that were sent ahead of the answer to the one before.
  const pipelined = new WeakMap<Socket, Array<() => void>>()
  const startWithSlot = Slots.make({ slots, timeout, metrics, ...setting })
  // Until somebody says, as the port is.
  let closesWithAnswers: boolean | undefined
  /** Requests that came while none is started. */
  let held: Array<() => void> | undefined
  let isForwarded = onForwarded === undefined
  const timeouts = RequestTimeouts.make({
    limitOf: (request) => isTokenRequest(request) ? tokenTimeout : requestTimeout,
    shortest: Math.min(tokenTimeout, requestTimeout),
    respond: (response) => respondOverdue(response, setting)
  })

  /** Starts a request at its turn on its connection. */
  const startInOrder = (response: OutgoingResponse, start: () => void): void => {
    const { socket } = response.req
    const others = pipelined.get(socket)
    if (others === undefined) {
      pipelined.set(socket, [])
      return startThenNext(response, start)
    }
    others.push(() => startThenNext(response, start))
    if (others.length > maxPipelined) socket.destroy()
  }

  const startThenNext = (response: OutgoingResponse, start: () => void): void => {
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

  const closeWithAnswers = (yes: boolean): void => {
    closesWithAnswers = yes
    if (!yes) return
    for (const { response } of timeouts.inWork) if (!response.headersSent) response.setHeader("connection", "close")
  }

  server.emit = (event: string, ...args: Array<unknown>) => {
    const [, response] = args
    const isRequest = event === "request" || event === "checkContinue"
    if (!isRequest || !(response instanceof OutgoingResponse)) return emit(event, ...args)
    const { req: request } = response
    if (!isForwarded && request.headers["x-forwarded-for"] !== undefined) {
      isForwarded = true
      onForwarded?.()
    }
    const start = namesOneHost(request) ? () => void emit(event, ...args) : () => respondNoHost(response, setting)
    const needsSlot = isForApi(request) && request.method !== "OPTIONS"
    const begin = needsSlot ? () => startWithSlot(response, start) : start
    if (held === undefined) startInOrder(response, begin)
    else held.push(() => request.socket.destroyed ? undefined : startInOrder(response, begin))
    return true
  }

  const hold = () => {
    held ??= []
    return () => {
      const all = held ?? []
      held = undefined
      for (const begin of all) begin()
    }
  }
  return Object.assign(server, { closeWithAnswers, hold, requestsInWork: () => timeouts.inWork.length })
}

/** No client sends as many requests ahead of their answers; a connection with more is closed. */
const maxPipelined = 100
