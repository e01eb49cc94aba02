import type { IncomingMessage } from "node:http"

/**
 * Tells whether a request names one host, as RFC 9112 §3.2 has it; HTTP/1.0 may name none. No answer depends on the
 * name: a request with two would mean one to a proxy and another one here.
 */
export const namesOneHost = ({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean => {
  const { host } = headers
  if (host === undefined) return httpVersion !== "1.1"
  // Node keeps the first of several.
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === "host") count++
  }
  return count === 1 && hostField.test(host)
}

/** A host, which may be empty, and a port (RFC 9110 §7.2, RFC 3986 §3.2.2). */
const hostField = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\dA-Fa-f:.]+\])(?::\d*)?$/
