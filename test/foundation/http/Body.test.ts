// @effect-diagnostics strictEffectProvide:off
import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { once } from "node:events"
import { createServer } from "node:http"
import { connect, type Socket } from "node:net"
import * as Body from "../../../src/foundation/http/Body.ts"
import { eventually } from "../../support/Eventually.ts"

const server = createServer()
const gone = Deferred.makeUnsafe<void>()

const Echo = HttpRouter.add(
  "POST",
  "/echo",
  Effect.gen(function*() {
    const bytes = yield* Body.bytes(yield* HttpServerRequest.HttpServerRequest)
    return HttpServerResponse.text(`${bytes.length} ${bytes.toString("utf8").slice(0, 20)}`)
  }).pipe(Effect.onInterrupt(() => Deferred.succeed(gone, undefined)))
)

const Server = HttpRouter.serve(Echo, { disableLogger: true, disableListenLog: true }).pipe(
  Layer.provideMerge(NodeHttpServer.layer(() => server, { host: "127.0.0.1", port: 0 }))
)

/** Sends each piece when the server has read the one before. Answers all that the server sends until it hangs up. */
const send = Effect.fnUntraced(function*(...pieces: ReadonlyArray<string>) {
  const { address } = yield* HttpServer.HttpServer
  const port = "port" in address ? address.port : 0
  let peer: Socket | undefined
  server.once("connection", (connection) => peer = connection)
  const socket = connect(port, "127.0.0.1")
  const closed = once(socket, "close")
  let received = ""
  socket.setEncoding("utf8").on("data", (text: string) => received += text)
  let sent = 0
  for (const piece of pieces) {
    yield* eventually(Effect.sync(() => peer !== undefined && peer.bytesRead === sent))
    if (piece === "hang up") socket.destroy()
    else socket.write(piece)
    sent += piece.length
  }
  yield* Effect.promise(() => closed)
  return received
})

const head = (...fields: ReadonlyArray<string>) =>
  ["POST /echo HTTP/1.1", "Host: localhost", "Connection: close", ...fields, "", ""].join("\r\n")

describe("The body of a request", () => {
  layer(Server, { excludeTestServices: true })((it) => {
    it.effect("arrives in one piece or in several", () =>
      Effect.gen(function*() {
        assert.include(yield* send(`${head("Content-Length: 5")}hello`), "\r\n\r\n5 hello")
        assert.include(yield* send(head("Content-Length: 5"), "he", "llo"), "\r\n\r\n5 hello")
      }))

    it.effect("may be empty, long, or of unknown length", () =>
      Effect.gen(function*() {
        assert.include(yield* send(head("Content-Length: 0")), "\r\n\r\n0 ")
        assert.include(yield* send(head()), "\r\n\r\n0 ")
        assert.include(yield* send(`${head("Content-Length: 40000")}${"x".repeat(40_000)}`), "\r\n\r\n40000 xxx")
        assert.include(
          yield* send(`${head("Transfer-Encoding: chunked")}2\r\nhe\r\n`, "3\r\nllo\r\n0\r\n\r\n"),
          "\r\n\r\n5 hello"
        )
      }))

    it.effect("comes when the client is told to send it", () =>
      Effect.gen(function*() {
        const answer = yield* send(head("Content-Length: 5", "Expect: 100-continue"), "hello")
        assert.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/)
      }))

    it.effect("is not waited for when the client has gone", () =>
      Effect.gen(function*() {
        yield* send(head("Content-Length: 5"), "he", "hang up")
        yield* Deferred.await(gone)
      }))
  })
})
