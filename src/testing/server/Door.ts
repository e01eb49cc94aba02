import { Effect, Schema, type Scope } from "effect"
import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"

/** The test server cannot be started; the message is one line. */
export class TestServerError extends Schema.TaggedError<TestServerError>()("TestServerError", {
  message: Schema.String
}) {}

interface Door {
  readonly url: string
  /**
   * Lets the listener answer from now on; until then the answer is 503, for programs that wait for a port that they
   * know.
   */
  answer(listener: RequestListener): void
}

/** A port of this machine alone, which is taken before the server is made: its number is part of addresses. */
export const open = (port: number): Effect.Effect<Door, TestServerError, Scope.Scope> =>
  Effect.gen(function*() {
    let listener: RequestListener = notReady
    const server = createServer(
      { requestTimeout: 30_000, headersTimeout: 10_000 },
      (request, response) => listener(request, response)
    )
    const url = yield* Effect.acquireRelease(listen(server, port), () => close(server))
    return { url, answer: (next) => void (listener = next) }
  })

const notReady: RequestListener = (_request, response) => {
  response.writeHead(503, { "retry-after": "1", "cache-control": "no-store", connection: "close" })
  response.end("The test server is starting.\n")
}

const listen = (server: Server, port: number) =>
  Effect.callback<string, TestServerError>((resume) => {
    server.once("error", ({ message }) => resume(Effect.fail(new TestServerError({ message: refusal(port, message) }))))
    server.listen({ host: "127.0.0.1", port }, () => {
      const { port } = server.address() as AddressInfo
      resume(Effect.succeed(`http://127.0.0.1:${port}`))
    })
  })

const refusal = (port: number, message: string) => `The test server cannot listen on port ${port}: ${message}`

// A client that keeps its connection open does not delay the end.
const close = (server: Server) =>
  Effect.sync(() => {
    server.close()
    server.closeAllConnections()
  })
