import { Effect, Schema } from "effect"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"

/** The test server cannot be started; the message is one line. */
export class TestServerError extends Schema.TaggedError<TestServerError>()("TestServerError", {
  message: Schema.String
}) {}

/** A port of this machine alone, which is taken before anything answers there: its number is part of addresses. */
export const open = (port: number) =>
  Effect.acquireRelease(Effect.flatMap(create, (server) => listen(server, port)), close)

const create = Effect.sync(() => createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }))

const listen = (server: Server, port: number) =>
  Effect.callback<{ readonly server: Server; readonly url: string }, TestServerError>((resume) => {
    server.once("error", ({ message }) => resume(Effect.fail(new TestServerError({ message: refusal(port, message) }))))
    server.listen({ host: "127.0.0.1", port }, () => {
      const { port } = server.address() as AddressInfo
      resume(Effect.succeed({ server, url: `http://127.0.0.1:${port}` }))
    })
  })

const refusal = (port: number, message: string) => `The test server cannot listen on port ${port}: ${message}`

// A client that keeps its connection open does not delay the end.
const close = ({ server }: { readonly server: Server }) =>
  Effect.sync(() => {
    server.close()
    server.closeAllConnections()
  })
