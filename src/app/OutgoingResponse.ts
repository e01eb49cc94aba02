import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
  STATUS_CODES
} from "node:http"
import { busy } from "../foundation/http/Unavailable.ts"
import { header as requestIdHeader, requestIdOf } from "../foundation/log/RequestId.ts"

type Headers = OutgoingHttpHeaders | Array<OutgoingHttpHeader>

/**
 * A response of this server. Its head and body leave in one write, together with the other responses that are ready in
 * this turn of the event loop: writes one after the other cost less than each between other work. Until then it does
 * not count as ended.
 *
 * It has the id of its request, and says when to try again (RFC 9110 §10.2.3), where the platform answers by itself:
 * with 503 to the requests that are in work when the server stops.
 *
 * It remembers for the metrics why it refuses its request. The cause is read off the answer itself, so no endpoint can
 * refuse a request without being counted, and a request that succeeds pays a comparison.
 */
export class OutgoingResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  #error: string | undefined
  #leavesAlone = false

  /** Error code of RFC 6749 or of the API's envelope; for a page the name of its status. */
  get error(): string | undefined {
    return this.#error ?? (this.statusCode >= 400 ? errorOfStatus(this.statusCode) : undefined)
  }

  /** Ends with this body now, before the others of this turn, for an answer that is late already. */
  endAtOnce(body: string): void {
    this.#leavesAlone = true
    this.end(body)
  }

  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    const given = typeof reason === "object" ? reason : headers
    if (status >= 300 && status < 400) this.#error = errorInRedirect(given)
    // Routes set them by themselves; to copy the headers of each answer for nothing would cost a hundredth of a check.
    const isWhole = given !== undefined && requestIdHeader in given &&
      (status !== busy.status || retryAfterHeader in given)
    // Node sets headers one by one where some were set before, which costs more than the copy.
    const all = isWhole
      ? given
      : { [requestIdHeader]: requestIdOf(this.req), ...(status === busy.status ? busy.headers : {}), ...given }
    return super.writeHead(status, typeof reason === "string" ? reason : undefined, all)
  }

  override write(chunk: unknown, encoding?: BufferEncoding | Written, done?: Written): boolean {
    this.#leavesAlone = true
    if (this.statusCode >= 400) this.#error ??= errorInBody(chunk)
    return typeof encoding === "string" ? super.write(chunk, encoding, done) : super.write(chunk, encoding ?? done)
  }

  /**
   * The platform has Node compare a body with its `content-length`, for which Node writes the end apart. A body that is
   * given as a whole has its length computed from it, so only one that comes in pieces is compared.
   */
  override end(body?: unknown, encoding?: BufferEncoding | (() => void), done?: () => void): this {
    if (this.statusCode >= 400) this.#error ??= errorInBody(body)
    const endNow = () =>
      typeof encoding === "string" ? super.end(body, encoding, done) : super.end(body, encoding ?? done)
    // Node throws for any other body, which must reach the caller: later there is none.
    if (this.#leavesAlone || !(typeof body === "string" || body instanceof Uint8Array)) return endNow()
    this.strictContentLength = false
    if (ready.push(endNow) === 1) setImmediate(endAll)
    return this
  }
}

type Written = (error: Error | null | undefined) => void

const ready: Array<() => void> = []

const endAll = (): void => {
  for (const end of ready.splice(0)) end()
}

const retryAfterHeader = "retry-after"

/** Error that an app gets in the query (RFC 6749 §4.1.2.1). */
const errorInRedirect = (headers: Headers = {}): string | undefined =>
  "location" in headers ? authorizationError.exec(String(headers.location))?.[1] : undefined

// The app chooses the rest of the query, so only codes of the RFC are taken from it.
const authorizationError =
  /[?&]error=(invalid_request|unauthorized_client|access_denied|unsupported_response_type|invalid_scope|server_error|temporarily_unavailable)&error_description=/

const errorInBody = (body: unknown): string | undefined => {
  const text = typeof body === "string" ? body : body instanceof Uint8Array ? Buffer.from(body).toString("latin1") : ""
  return text.startsWith("{") ? jsonError.exec(text)?.[1] : undefined
}

// In a text of JSON this cannot stand, because its quotation marks would be escaped.
const jsonError = /"error":(?:\{"code":)?"(\w+)"/

const errorOfStatus = (status: number): string =>
  status === 503 ? "temporarily_unavailable" : (STATUS_CODES[status] ?? "unknown").toLowerCase().replace(/\W+/g, "_")
