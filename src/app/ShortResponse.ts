import { DateTime } from "effect"
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http"
import { type Brand, type Brands, plain } from "../domain/brand/Brand.ts"
import { isForOAuth, isForProgram } from "../foundation/http/ApiPaths.ts"
import { errorEnvelopeAt, pathOf } from "../foundation/http/Envelope.ts"
import * as Unavailable from "../foundation/http/Unavailable.ts"
import { header as requestIdHeader, requestIdOf } from "../foundation/log/RequestId.ts"
import { accepted, languages, preferred } from "../foundation/messages/Languages.ts"
import { nothing, type Phrase, write } from "../foundation/web/Html.ts"
import { failurePage, htmlType, pageOf } from "../foundation/web/Layout.ts"
import { inEnglish, type Message, type PlainValues, text } from "../foundation/web/Message.ts"
import { pageAt } from "../foundation/web/PublicPath.ts"
import type { OutgoingResponse } from "./OutgoingResponse.ts"

// Responses to requests that no route answers, in the error format of the door that they came to.

type Headers = Readonly<Record<string, string>>

/** Parts of an answer that do not depend on its request. */
export interface Setting {
  /** Headers of every response. */
  readonly headers: Headers
  /** Path at which browsers find the pages; empty for most. */
  readonly publicPath?: string
  readonly brands?: Brands
}

/** Answers a request that found no slot. */
export const respondBusy = (response: OutgoingResponse, setting: Setting): void => respond(response, busy, setting)

/** Answers a request that does not name one host (RFC 9112 §3.2). */
export const respondNoHost = (response: OutgoingResponse, setting: Setting): void => respond(response, noHost, setting)

/**
 * Answers a request that has taken too long, and closes its connection: with 408 if it has not arrived as a whole, else
 * with 503. Only the status of the response object is set, and it is not ended: the platform reads the close as the
 * client hanging up, and interrupts the handler: at once, because a peer that repeats its request must not meet the
 * work of the first one. Whatever the handler does to clean up, the answer has left before.
 */
export const respondOverdue = (response: ServerResponse, setting: Setting): void => {
  const { req: request, socket } = response
  if (socket === null) return void request.socket.destroy()
  const { body, head, status } = render(request, request.complete ? overdue : incomplete, setting)
  const lines = Object.entries({ date: new Date().toUTCString(), ...head, connection: "close" })
    .map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n`, "latin1")
  socket.end(request.method === "HEAD" ? "" : body)
  response.statusCode = status
  response.emit("close")
  // Destroyed at once, the connection would be reset if the rest of the request arrives, and the answer could be lost.
  const timer = setTimeout(() => socket.destroy(), closeGrace)
  socket.once("close", () => clearTimeout(timer))
}

/** Milliseconds that a client has to read an answer before the connection is cut. */
const closeGrace = 500

interface ShortAnswer {
  readonly status: number
  readonly headers?: Headers
  /** Error of RFC 6749 §5.2 with its description. */
  readonly oauthError: string
  readonly description: string
  /** Error of the API's envelope; its message is what people read, without the title. */
  readonly code: string
  readonly title: Phrase
  readonly what: Message<PlainValues>
  readonly remedy: Message<PlainValues>
}

const busy: ShortAnswer = {
  ...Unavailable.busy,
  oauthError: Unavailable.busy.code,
  description: "the server is busy, try again shortly",
  title: text("failure.tooBusy"),
  what: text("failure.busy.what"),
  remedy: text("failure.busy.remedy")
}
const overdue: ShortAnswer = {
  ...busy,
  description: "the server could not answer in time, try again shortly",
  what: text("failure.tooBusy.what"),
  remedy: text("failure.overdue.remedy")
}
const incomplete: ShortAnswer = {
  status: 408,
  code: "request_timeout",
  oauthError: "invalid_request",
  description: "the request did not arrive in time",
  title: text("failure.incomplete"),
  what: text("failure.incomplete.what"),
  remedy: text("failure.incomplete.remedy")
}
const noHost: ShortAnswer = {
  status: 400,
  code: "malformed_request",
  oauthError: "invalid_request",
  description: "the request does not name one host",
  title: text("failure.notUnderstood"),
  what: text("failure.noHost.what"),
  remedy: text("failure.malformed.remedy")
}

const respond = (response: OutgoingResponse, answer: ShortAnswer, setting: Setting): void => {
  const { body, head, status } = render(response.req, answer, setting)
  response.writeHead(status, head)
  // A text leaves in one write with its head; bytes would be a second one.
  response.endAtOnce(body)
}

const render = (request: IncomingMessage, answer: ShortAnswer, { brands, headers, publicPath = "" }: Setting) => {
  const requestId = requestIdOf(request)
  const { body, type } = isForProgram(request)
    ? json(request, requestId, answer)
    : page(request, requestId, answer, { brand: brands?.at(request.headers.host) ?? plain, publicPath })
  const head = {
    ...headers,
    ...type,
    "content-length": String(Buffer.byteLength(body)),
    "cache-control": "no-store",
    "pragma": "no-cache",
    [requestIdHeader]: requestId,
    ...answer.headers
  }
  return { status: answer.status, head, body }
}

const json = (
  request: IncomingMessage,
  requestId: string,
  { code, description, oauthError, remedy, what }: ShortAnswer
) => ({
  body: JSON.stringify(
    isForOAuth(request)
      ? { error: oauthError, error_description: description }
      : errorEnvelopeAt(DateTime.nowUnsafe(), { path: pathOf({ url: request.url ?? "" }), requestId }, {
        code,
        message: `${inEnglish(what)} ${inEnglish(remedy)}`
      })
  ),
  type: {
    "content-type": "application/json",
    "access-control-allow-origin": "*",
    "access-control-expose-headers": `retry-after, ${requestIdHeader}`
  }
})

interface PageSetting {
  readonly brand: Brand
  readonly publicPath: string
}

const page = ({ headers }: IncomingMessage, requestId: string, answer: ShortAnswer, at: PageSetting) => {
  const response = failurePage(answer)
  const page = pageOf(response)?.to({ navigation: nothing, requestId }) ?? nothing
  const reader = { brand: at.brand, language: preferred(languages, accepted(headers["accept-language"])) }
  return {
    body: pageAt(at.publicPath, write(page, reader)),
    type: { ...response.headers, "content-type": htmlType, "content-language": reader.language.tag }
  }
}
