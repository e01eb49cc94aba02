// @effect-diagnostics strictEffectProvide:off
import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { OutgoingResponse } from "../../src/app/OutgoingResponse.ts"
import { eventually } from "../support/Eventually.ts"

const body = { text: "ü".repeat(600) }

/** Chunks that the server wrote to its connections. */
const written: Array<unknown> = []

const observed = () =>
  createServer({ ServerResponse: OutgoingResponse }).on("connection", (socket: Socket) => {
    const write = socket.write.bind(socket) as Socket["write"]
    socket.write = (chunk: string | Uint8Array, ...rest: ReadonlyArray<never>) => {
      written.push(chunk)
      return write(chunk, ...rest)
    }
  })

const retryLater = HttpServerResponse.empty({ status: 503, headers: { "retry-after": "5" } })

// The body is longer than its content-length says, like a file that has grown meanwhile.
const grown = HttpServerResponse.stream(Stream.make(new Uint8Array(5)), { headers: { "content-length": "3" } })

const Answers = HttpRouter.serve(
  Layer.mergeAll(
    HttpRouter.add("*", "/answer", HttpServerResponse.jsonUnsafe(body)),
    HttpRouter.add("GET", "/grown", grown),
    HttpRouter.add("GET", "/interrupted", Effect.interrupt),
    HttpRouter.add("GET", "/later", retryLater),
    HttpRouter.add("GET", "/fine", HttpServerResponse.text("fine"))
  ),
  { disableLogger: true, disableListenLog: true }
).pipe(Layer.provideMerge(NodeHttpServer.layer(observed, { host: "127.0.0.1", port: 0 })))

/** Address of a server whose handler writes to Node's response itself. */
const listening = (handler: RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer({ ServerResponse: OutgoingResponse }, handler)
        .listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.promise(() => new Promise((resolve) => server.close(resolve)))
  ).pipe(Effect.map((server) => {
    const address = server.address()
    return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`
  }))

const addressOf = (path: string) =>
  Effect.map(
    HttpServer.HttpServer,
    ({ address }) => `http://127.0.0.1:${"port" in address ? address.port : 0}${path}`
  )

describe("A response", () => {
  layer(Answers, { excludeTestServices: true })((it) => {
    it.effect("leaves in one write, head and body, and is whole", () =>
      Effect.gen(function*() {
        const url = yield* addressOf("/answer")
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
        const url = yield* addressOf("/grown")
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
        const server = yield* listening((_, response) => {
          // The connection is closed at the end of the turn of the event loop in which both are ready.
          if (ended.push(response) === 2) setImmediate(endAll)
        })
        const ask = (path: string) => fetch(server + path).then((answer) => answer.text()).catch(String)
        const answers = yield* Effect.promise(() => Promise.all(["/gone", "/here"].map(ask)))
        assert.deepStrictEqual(answers, ["TypeError: fetch failed", "/here"])
      }))

    it.effect.each([
      { path: "/interrupted", status: 503, retryAfter: "1" },
      { path: "/later", status: 503, retryAfter: "5" },
      { path: "/fine", status: 200, retryAfter: null }
    ])(
      "has its request's id, and of a request that is interrupted says when to try again: $path",
      ({ path, retryAfter, status }) =>
        Effect.gen(function*() {
          const url = yield* addressOf(path)
          const answer = yield* Effect.promise(() => fetch(url, { headers: { "x-request-id": "mine" } }))
          assert.strictEqual(answer.headers.get("x-request-id"), "mine")
          assert.deepStrictEqual([answer.status, answer.headers.get("retry-after")], [status, retryAfter])
        })
    )

    it.effect("of Node's own shapes is as Node has it: implicit heads, encodings, callbacks", () =>
      Effect.gen(function*() {
        let called = 0
        const server = yield* listening((request, response) => {
          const done = () => void called++
          if (request.url === "/pieces") {
            response.write("c3bc", "hex", () => void called++)
            return response.end(done)
          }
          if (request.url === "/encoded") return response.end("c3bc", "hex", done)
          response.writeHead(400, "Not Today", { "content-length": 2 })
          response.end("ü", done)
        })
        const answers = yield* Effect.promise(() =>
          Promise.all(["/pieces", "/encoded", "/reason"].map(async (path) => {
            const answer = await fetch(server + path)
            return [answer.status, answer.statusText, await answer.text()]
          }))
        )
        assert.deepStrictEqual(answers, [[200, "OK", "ü"], [200, "OK", "ü"], [400, "Not Today", "ü"]])
        yield* eventually(Effect.sync(() => called === 4))
      }))
  })
})
