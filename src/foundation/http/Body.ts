import { Effect } from "effect"
import { type HttpServerError, HttpServerRequest } from "effect/http"
import { IncomingMessage } from "node:http"

/**
 * Reads the body of a request. A short body of known length is collected from the events of Node's request, at half the
 * cost of the platform's streams; any other is read from the stream, where the limit on its size holds.
 */
export const bytes = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<Buffer, HttpServerError.HttpServerError> => {
  const { source } = request
  return source instanceof IncomingMessage && isShort(source)
    ? collect(source)
    : Effect.map(request.arrayBuffer, (bytes) => Buffer.from(bytes))
}

/** Tells that a body was encoded, as with gzip: none is decoded here, because a few bytes can become very many. */
export const isEncoded = ({ headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">): boolean => {
  const coding = headers["content-encoding"]
  return coding !== undefined && coding.toLowerCase() !== "identity"
}

/** Header of an answer to such a body, by which a client tells it from another media type (RFC 9110 §12.5.3). */
export const takesNoCoding = { "accept-encoding": "identity" }

const short = 16 * 1024

/**
 * Tells whether the body is known to be short: Node's parser lets no more than `content-length` bytes through. A body
 * that was read before is not, nor one that the client sends only on demand (`Expect: 100-continue`).
 */
const isShort = ({ headers, readableDidRead }: IncomingMessage): boolean =>
  Number(headers["content-length"] ?? Number.NaN) <= short && headers.expect === undefined && !readableDidRead

// A connection that closes early needs no case here: the server interrupts the fiber of its request.
const collect = (source: IncomingMessage): Effect.Effect<Buffer> =>
  Effect.callback((resume) => {
    const chunks: Array<Buffer> = []
    const onData = (chunk: Buffer) => void chunks.push(chunk)
    const onEnd = () => resume(Effect.succeed(Buffer.concat(chunks)))
    source.on("data", onData).once("end", onEnd)
    return Effect.sync(() => source.off("data", onData).off("end", onEnd))
  })
