import { Effect } from "effect"
import { type HttpServerError, HttpServerRequest } from "effect/http"
import { IncomingMessage } from "node:http"

/**
 * The bytes of a request's body. A short one of known length is taken as it comes in, which is half the cost of the way
 * over streams; any other goes that way, and its limit holds.
 */
export const bytes = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<Buffer, HttpServerError.HttpServerError> => {
  const { source } = request
  return source instanceof IncomingMessage && isShort(source)
    ? take(source)
    : Effect.map(request.arrayBuffer, (bytes) => Buffer.from(bytes))
}

const short = 16 * 1024

/** Whether the parser lets no more than so many bytes through, and nobody has read them or waits to be told to send. */
const isShort = ({ headers, readableDidRead }: IncomingMessage): boolean =>
  Number(headers["content-length"] ?? Number.NaN) <= short && headers.expect === undefined && !readableDidRead

// Who hangs up before the end is not answered: the server interrupts the fiber of a request that is gone.
const take = (source: IncomingMessage): Effect.Effect<Buffer> =>
  Effect.callback((resume) => {
    const chunks: Array<Buffer> = []
    const onData = (chunk: Buffer) => void chunks.push(chunk)
    const onEnd = () => resume(Effect.succeed(Buffer.concat(chunks)))
    source.on("data", onData).once("end", onEnd)
    return Effect.sync(() => source.off("data", onData).off("end", onEnd))
  })
