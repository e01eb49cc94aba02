import { DateTime } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { enveloped } from "./Envelope.ts"

export interface Options {
  /** How many API requests are in work at a time. */
  readonly places: number
  /** How long one waits for a place at most, in milliseconds. */
  readonly patience: number
}

/**
 * An HTTP server for more callers than it can serve. API requests beyond its places wait; who gets none in time is sent
 * away with 503 and `Retry-After` (RFC 9110 §15.6.4) before anything is done for it, so what is let in is also finished.
 * Pages are always let in: people come one by one.
 */
export const make = ({ patience, places }: Options): Server => {
  const server = createServer()
  const emit = server.emit.bind(server)
  // In order of arrival.
  const waiting = new Map<ServerResponse, { readonly request: IncomingMessage; readonly until: number }>()
  let inWork = 0
  let timer: NodeJS.Timeout | undefined

  const arrive = (request: IncomingMessage, response: ServerResponse): void => {
    if (inWork < places) return enter(request, response)
    waiting.set(response, { request, until: performance.now() + patience })
    timer ??= setTimeout(sendAway, patience)
  }

  const enter = (request: IncomingMessage, response: ServerResponse): void => {
    inWork++
    response.once("close", leave)
    emit("request", request, response)
  }

  const leave = (): void => {
    inWork--
    for (const [response, { request }] of waiting) {
      waiting.delete(response)
      // Who hung up meanwhile needs no place.
      if (!response.destroyed) return enter(request, response)
    }
  }

  const sendAway = (): void => {
    timer = undefined
    const now = performance.now()
    for (const [response, { request, until }] of waiting) {
      if (until > now) {
        timer = setTimeout(sendAway, until - now)
        return
      }
      waiting.delete(response)
      refuse(request, response)
    }
  }

  server.emit = (event: string, ...args: Array<unknown>) => {
    if (event !== "request" || !isApi(args)) return emit(event, ...args)
    arrive(...args)
    return true
  }
  return server
}

const isApi = (args: ReadonlyArray<unknown>): args is [IncomingMessage, ServerResponse] => {
  const [request] = args as [IncomingMessage]
  return request.url?.startsWith("/v2/") === true
}

const refuse = ({ url = "" }: IncomingMessage, response: ServerResponse): void => {
  const body = JSON.stringify(
    url.startsWith("/v2/auth/oauth2/")
      ? { error: code, error_description: message }
      : enveloped({ code, message }, { url }, DateTime.nowUnsafe())
  )
  response.writeHead(503, {
    "content-type": "application/json",
    "content-length": body.length,
    "cache-control": "no-store",
    "retry-after": "1",
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "retry-after"
  })
  response.end(body)
}

const code = "temporarily_unavailable"
const message = "the server is busy, try again shortly"
