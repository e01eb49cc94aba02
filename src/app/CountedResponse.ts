import { type IncomingMessage, STATUS_CODES } from "node:http"
import { StoppingResponse } from "./StoppingResponse.ts"

/**
 * A response that remembers for the metrics why it refuses its request. The cause is read off the answer itself, so no
 * endpoint can refuse a request without being counted, and a request that succeeds pays a comparison.
 */
export class CountedResponse<Request extends IncomingMessage = IncomingMessage> extends StoppingResponse<Request> {
  #error: string | undefined

  /** Error code of RFC 6749 or of the API's envelope; for a page the name of its status. */
  get error(): string | undefined {
    return this.#error ?? (this.statusCode >= 400 ? errorOfStatus(this.statusCode) : undefined)
  }

  override writeHead(...args: Array<never>): this {
    const [status] = args as ReadonlyArray<unknown>
    // Headers come last, after the reason phrase if there is one.
    if (Number(status) >= 300 && Number(status) < 400) this.#error = errorInRedirect(args.at(-1))
    return super.writeHead.apply(this, args as never)
  }

  override write(...args: Array<never>): boolean {
    if (this.statusCode >= 400) this.#error ??= errorInBody(args[0])
    return super.write.apply(this, args as never)
  }

  override end(...args: Array<never>): this {
    if (this.statusCode >= 400) this.#error ??= errorInBody(args[0])
    return super.end.apply(this, args as never)
  }
}

/** Error that an app gets in the query (RFC 6749 §4.1.2.1). */
const errorInRedirect = (headers: unknown): string | undefined => {
  if (typeof headers !== "object" || headers === null || !("location" in headers)) return undefined
  return authorizationError.exec(String(headers.location))?.[1]
}

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
