import { DateTime } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { enveloped } from "../foundation/http/Envelope.ts"
import { CoalescedResponse } from "./CoalescedResponse.ts"

export interface Options {
  /** How many API requests are in work at a time. */
  readonly slots: number
  /** How long a request waits for a place at most, and may take to come in while it has one; in milliseconds. */
  readonly timeout: number
  /** What the answer that sends away says beside itself. */
  readonly headers: Readonly<Record<string, string>>
}

/** An API request that has a place. */
interface Slot {
  readonly response: ServerResponse
  /** When it must have come in as a whole; by `performance.now()`. */
  readonly until: number
}

/** One that has none yet. */
interface Waiting {
  readonly response: ServerResponse
  readonly letIn: () => void
  /** When it is sent away. */
  readonly until: number
}

/**
 * An HTTP server for more callers than it can serve. API requests beyond its slots wait; who gets none in time is sent
 * away with 503 and `Retry-After` (RFC 9110 §15.6.4) before anything is done for it, so what is let in is also finished.
 * Pages are always let in: people come one by one. So are preflights, whose refusal a browser would not tell. Of one
 * connection one request is in work at a time, for its answers leave in order anyway (RFC 9112 §9.3.2).
 */
export const make = ({ headers, timeout, slots }: Options): Server => {
  // Nothing here speaks another protocol, and a request that offers one is a request like any other.
  const server = createServer({ ServerResponse: CoalescedResponse, shouldUpgradeCallback: () => false })
  const emit = server.emit.bind(server)
  // The requests of a connection that wait for the answer to the one before them.
  const pipelined = new WeakMap<Socket, Array<() => void>>()
  // Both in order of arrival. Lists, because V8 keeps what a Set or Map has held when members come and go fast
  // (docs/decisions.md); of a weak one it does not.
  const inWork: Array<Slot> = []
  const waiting: Array<Waiting> = []
  let timer: NodeJS.Timeout | undefined

  const queue = (response: ServerResponse, start: () => void): void => {
    const { socket } = response.req
    const others = pipelined.get(socket)
    if (others === undefined) {
      pipelined.set(socket, [])
      return proceed(response, start)
    }
    others.push(() => proceed(response, start))
    if (others.length > maxPipelined) socket.destroy()
  }

  const proceed = (response: ServerResponse, start: () => void): void => {
    const { socket } = response.req
    response.once("close", () => {
      // Nothing is done for who cannot be told any more (RFC 9112 §9.6).
      const next = socket.writable ? pipelined.get(socket)?.shift() : undefined
      if (next === undefined) pipelined.delete(socket)
      else next()
    })
    start()
  }

  const arrive = (response: ServerResponse, letIn: () => void): void => {
    // Here too, because in a long turn of the loop the timer is late.
    if (inWork.length >= slots) expire(performance.now())
    if (inWork.length < slots) return enter(response, letIn)
    waiting.push({ response, letIn, until: performance.now() + timeout })
    timer ??= setTimeout(watch, timeout)
  }

  const enter = (response: ServerResponse, letIn: () => void): void => {
    const slot = { response, until: performance.now() + timeout }
    inWork.push(slot)
    // Made is enough: a peer that does not read its answers holds no place.
    response.once("prefinish", () => leave(slot))
    response.once("close", () => leave(slot))
    timer ??= setTimeout(watch, timeout)
    letIn()
  }

  const leave = (slot: Slot): void => {
    const at = inWork.indexOf(slot)
    if (at < 0) return
    inWork.splice(at, 1)
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      // Who hung up meanwhile needs no place.
      if (!next.response.destroyed) return enter(next.response, next.letIn)
    }
  }

  const watch = (): void => {
    const now = performance.now()
    expire(now)
    const slow = inWork.find(({ until }) => until > now)
    const due = Math.min(slow?.until ?? Infinity, waiting[0]?.until ?? Infinity)
    timer = due === Infinity ? undefined : setTimeout(watch, due - now)
  }

  const expire = (now: number): void => {
    // Who has not sent the whole request in time goes on without a place: slow peers hold none up.
    for (const slot of inWork.filter(({ until }) => until <= now)) if (!slot.response.req.complete) leave(slot)
    const stillWait = waiting.findIndex(({ until }) => until > now)
    for (const { response } of waiting.splice(0, stillWait < 0 ? waiting.length : stillWait)) refuse(response, headers)
  }

  server.emit = (event: string, ...args: Array<unknown>) => {
    if (event !== "request" && event !== "checkContinue") return emit(event, ...args)
    const [request, response] = args as [IncomingMessage, ServerResponse]
    const letIn = () => void emit(event, ...args)
    const isApi = api.test(decoded(request)) && request.method !== "OPTIONS"
    queue(response, isApi ? () => arrive(response, letIn) : letIn)
    return true
  }
  return server
}

// No client sends so many requests ahead of the answers.
const maxPipelined = 100

// As the router reads a target: in any case, with slashes repeated, with an origin before it or not, its escapes decoded.
const api = /^(https?:\/\/[^/]*)?\/+v2\//i
const oauth = /^(https?:\/\/[^/]*)?\/+v2\/+auth\/+oauth2\//i

const decoded = ({ url = "" }: IncomingMessage): string => {
  if (!url.includes("%")) return url
  const [path = ""] = url.split("?", 1)
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const refuse = (response: ServerResponse, headers: Options["headers"]): void => {
  const { url = "" } = response.req
  const body = Buffer.from(JSON.stringify(
    oauth.test(decoded(response.req))
      ? { error: code, error_description: message }
      : enveloped({ code, message }, { url }, DateTime.nowUnsafe())
  ))
  response.writeHead(503, {
    ...headers,
    "content-type": "application/json",
    "content-length": body.length,
    "cache-control": "no-store",
    "pragma": "no-cache",
    "retry-after": "1",
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "retry-after"
  })
  // In pieces it leaves now, and not with the others at the end of this turn of the loop: it is late enough.
  response.write(body)
  response.end()
}

const code = "temporarily_unavailable"
const message = "the server is busy, try again shortly"
