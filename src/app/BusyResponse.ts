import { DateTime } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { errorEnvelopeAt } from "../foundation/http/Envelope.ts"
import * as Unavailable from "../foundation/http/Unavailable.ts"

/** Tells a request for the API from one for a page, reading its target as the router will. */
export const isForApi = (request: IncomingMessage): boolean => api.test(decodedPath(request))

/** Answers a request that found no slot, in the error format of its endpoint; `headers` are those of every response. */
export const respondBusy = (response: ServerResponse, headers: Readonly<Record<string, string>>): void => {
  const { url = "" } = response.req
  const body = Buffer.from(JSON.stringify(
    oauth.test(decodedPath(response.req))
      ? { error: Unavailable.busy.code, error_description: message }
      : errorEnvelopeAt(DateTime.nowUnsafe(), { url }, { code: Unavailable.busy.code, message })
  ))
  response.writeHead(Unavailable.busy.status, {
    ...headers,
    "content-type": "application/json",
    "content-length": body.length,
    "cache-control": "no-store",
    "pragma": "no-cache",
    ...Unavailable.busy.headers,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "retry-after"
  })
  // Written in pieces, it is not held back for the other responses of this turn (`CoalescedResponse`): it is late enough.
  response.write(body)
  response.end()
}

const message = "the server is busy, try again shortly"

// The router ignores case, repeated slashes and an origin, and decodes escapes.
const api = /^(https?:\/\/[^/]*)?\/+v2\//i
const oauth = /^(https?:\/\/[^/]*)?\/+v2\/+auth\/+oauth2\//i

const decodedPath = ({ url = "" }: IncomingMessage): string => {
  if (!url.includes("%")) return url
  const [path = ""] = url.split("?", 1)
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
