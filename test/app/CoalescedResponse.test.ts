// @effect-diagnostics strictEffectProvide:off
import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { createServer, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { CoalescedResponse } from "../../src/app/CoalescedResponse.ts"

const body = { text: "ü".repeat(600) }

/** Chunks that the server wrote to its connections. */
const written: Array<unknown> = []

const observed = () =>
  createServer({ ServerResponse: CoalescedResponse }).on("connection", (socket: Socket) => {
    const write = socket.write.bind(socket) as Socket["write"]
    socket.write = (chunk: string | Uint8Array, ...rest: ReadonlyArray<never>) => {
      written.push(chunk)
      return write(chunk, ...rest)
    }
  })

// The body is longer than its content-length says, like a file that has grown meanwhile.
const grown = HttpServerResponse.stream(Stream.make(new Uint8Array(5)), { headers: { "content-length": "3" } })

const Answers = HttpRouter.serve(
  Layer.mergeAll(
    HttpRouter.add("*", "/answer", HttpServerResponse.jsonUnsafe(body)),
    HttpRouter.add("GET", "/grown", grown)
  ),
  { disableLogger: true, disableListenLog: true }
).pipe(Layer.provideMerge(NodeHttpServer.layer(observed, { host: "127.0.0.1", port: 0 })))

describe("A coalesced response", () => {
  layer(Answers, { excludeTestServices: true })((it) => {
    it.effect("leaves in one write, head and body, and is whole", () =>
      Effect.gen(function*() {
        const { address } = yield* HttpServer.HttpServer
        const url = `http://127.0.0.1:${"port" in address ? address.port : 0}/answer`
        assert.deepStrictEqual(yield* Effect.promise(async () => (await fetch(url)).json()), body)
        assert.lengthOf(written, 1)
        const { headers, status } = yield* Effect.promise(() => fetch(url, { method: "HEAD" }))
        assert.deepStrictEqual([status, headers.get("content-length")], [
          200,
          String(JSON.stringify(body).length + 600)
        ])
      }))

    it.effect("in pieces ends with its connection if it is not as long as its content-length says", () =>
      Effect.gen(function*() {
        const { address } = yield* HttpServer.HttpServer
        const url = `http://127.0.0.1:${"port" in address ? address.port : 0}/grown`
        const broken = yield* Effect.promise(() => fetch(url).then((answer) => answer.text()).catch(String))
        assert.match(broken, /^TypeError: (fetch failed|terminated)$/)
      }))

    it.effect("whose connection is gone does no harm to another that is ready in the same turn", () =>
      Effect.gen(function*() {
        const ended: Array<ServerResponse> = []
        const endAll = () => {
          for (const response of ended) {
            if (response.req.url === "/gone") response.req.socket.destroy()
            response.end(response.req.url)
          }
        }
        const server = yield* Effect.acquireRelease(
          Effect.callback<Server>((resume) => {
            const server = createServer({ ServerResponse: CoalescedResponse }, (_, response) => {
              // The connection is closed at the end of the turn of the event loop in which both are ready.
              if (ended.push(response) === 2) setImmediate(endAll)
            }).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
          }),
          (server) => Effect.promise(() => new Promise((resolve) => server.close(resolve)))
        )
        const address = server.address()
        const ask = (path: string) =>
          fetch(`http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}${path}`)
            .then((answer) => answer.text()).catch(String)
        const answers = yield* Effect.promise(() => Promise.all(["/gone", "/here"].map(ask)))
        assert.deepStrictEqual(answers, ["TypeError: fetch failed", "/here"])
      }))
  })
})
