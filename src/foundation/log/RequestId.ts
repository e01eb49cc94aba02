import type { HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"

/** Header that names a request: taken from the caller or its proxy, and sent back. */
export const header = "x-request-id"

/**
 * Id of a request: the caller's, if it is visible ASCII of 128 characters at most, else one of ours. It replaces the
 * header of the request, where everybody finds the same one; so a request costs no entry in a table, no annotation and
 * no fiber, and its id is read when a line is written.
 */
export const requestIdOf = (request: HttpServerRequest.HttpServerRequest | IncomingMessage): string => {
  const headers = headersOf(request)
  const given = headers[header]
  return typeof given === "string" && acceptable.test(given) ? given : (headers[header] = nextId())
}

/** The platform copies Node's headers, and one request may be several of its objects. */
const headersOf = (
  request: HttpServerRequest.HttpServerRequest | IncomingMessage
): Record<string, string | ReadonlyArray<string> | undefined> =>
  "source" in request && isNodes(request.source) ? request.source.headers : request.headers

// The contract, which browsers load, imports this file: so it must do without Node's class.
const isNodes = (source: object): source is IncomingMessage => "httpVersionMajor" in source

const acceptable = /^[\x21-\x7e]{1,128}$/

let count = 0

/** A counter behind a random prefix of the process: at a small part of the cost of a UUID. */
const nextId = (): string => `${prefix}${(count++).toString(36)}`

const prefix = `${crypto.randomUUID().slice(-12)}-`
