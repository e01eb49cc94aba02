import { DateTime } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { enveloped } from "./Envelope.ts"
import { OneWrite } from "./OneWrite.ts"

export interface Options {
  /** How many connections have an API request in work at a time. */
  readonly places: number
  /** How long a request waits for a place at most, and may take to come in while it has one; in milliseconds. */
  readonly patience: number
}

/**
 * An HTTP server for more callers than it can serve. API requests beyond its places wait; who gets none in time is sent
 * away with 503 and `Retry-After` (RFC 9110 §15.6.4) before anything is done for it, so what is let in is also finished.
 * Pages are always let in: people come one by one. So are preflights, whose refusal a browser would not tell.
 */
export const make = ({ patience, places }: Options): Server => {
  // Nothing here speaks another protocol, and a request that offers one is a request like any other.
  const server = createServer({ ServerResponse: OneWrite, shouldUpgradeCallback: () => false })
  const emit = server.emit.bind(server)
  const inWork = new Set<Socket>()
  // In order of arrival.
  const waiting = new Map<ServerResponse, { readonly letIn: () => void; readonly until: number }>()
  let timer: NodeJS.Timeout | undefined
  const entered: Array<{ readonly request: IncomingMessage; readonly until: number }> = []
  let slowTimer: NodeJS.Timeout | undefined

  const arrive = (event: string, request: IncomingMessage, response: ServerResponse): void => {
    const letIn = () => void emit(event, request, response)
    // One place for a connection: a peer that sends one request upon another holds no more.
    if (inWork.has(request.socket)) return letIn()
    if (inWork.size < places) return enter(response, letIn)
    waiting.set(response, { letIn, until: performance.now() + patience })
    timer ??= setTimeout(sendAway, patience)
  }

  const enter = (response: ServerResponse, letIn: () => void): void => {
    const { req: request } = response
    inWork.add(request.socket)
    response.once("close", () => leave(request.socket))
    entered.push({ request, until: performance.now() + patience })
    slowTimer ??= setTimeout(passSlow, patience)
    letIn()
  }

  // Who has not sent the whole request in time goes on without a place: slow peers hold none up.
  const passSlow = (): void => {
    const now = performance.now()
    const due = entered.findIndex(({ until }) => until > now)
    const past = entered.splice(0, due < 0 ? entered.length : due)
    slowTimer = entered[0] === undefined ? undefined : setTimeout(passSlow, entered[0].until - now)
    for (const { request } of past) if (!request.complete) leave(request.socket)
  }

  const leave = (socket: Socket): void => {
    inWork.delete(socket)
    for (const [response, { letIn }] of waiting) {
      waiting.delete(response)
      // Who hung up meanwhile needs no place.
      if (!response.destroyed) return enter(response, letIn)
    }
  }

  const sendAway = (): void => {
    timer = undefined
    const now = performance.now()
    for (const [response, { until }] of waiting) {
      if (until > now) {
        timer = setTimeout(sendAway, until - now)
        return
      }
      waiting.delete(response)
      refuse(response)
    }
  }

  server.emit = (event: string, ...args: Array<unknown>) => {
    if (event !== "request" && event !== "checkContinue") return emit(event, ...args)
    const [request, response] = args as [IncomingMessage, ServerResponse]
    if (!api.test(request.url ?? "") || request.method === "OPTIONS") return emit(event, ...args)
    arrive(event, request, response)
    return true
  }
  return server
}

// As the router reads a target: in any case, with slashes repeated, with an origin before it or not.
const api = /^(https?:\/\/[^/]*)?\/+v2\//i
const oauth = /^(https?:\/\/[^/]*)?\/+v2\/+auth\/+oauth2\//i

const refuse = (response: ServerResponse): void => {
  const { url = "" } = response.req
  const body = Buffer.from(JSON.stringify(
    oauth.test(url)
      ? { error: code, error_description: message }
      : enveloped({ code, message }, { url }, DateTime.nowUnsafe())
  ))
  response.writeHead(503, {
    "content-type": "application/json",
    "content-length": body.length,
    "cache-control": "no-store",
    "pragma": "no-cache",
    "x-content-type-options": "nosniff",
    "retry-after": "1",
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "retry-after"
  })
  response.end(body)
}

const code = "temporarily_unavailable"
const message = "the server is busy, try again shortly"
