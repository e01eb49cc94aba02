import { NodeHttpServer } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { createServer } from "node:http"
import { StoppingResponse } from "../../src/app/StoppingResponse.ts"

const own = HttpServerResponse.empty({ status: 503, headers: { "retry-after": "5" } })

const Answers = HttpRouter.serve(
  Layer.mergeAll(
    HttpRouter.add("GET", "/interrupted", Effect.interrupt),
    HttpRouter.add("GET", "/own", own),
    HttpRouter.add("GET", "/", HttpServerResponse.text("fine"))
  ),
  { disableLogger: true, disableListenLog: true }
).pipe(
  Layer.provideMerge(
    NodeHttpServer.layer(() => createServer({ ServerResponse: StoppingResponse }), { host: "127.0.0.1", port: 0 })
  )
)

layer(Answers, { excludeTestServices: true })("a request that the server interrupts", (it) => {
  it.effect.each([
    { path: "/interrupted", status: 503, retryAfter: "1" },
    { path: "/own", status: 503, retryAfter: "5" },
    { path: "/", status: 200, retryAfter: null }
  ])(
    "is told when to try again, and others are answered as they are: $path",
    ({ path, retryAfter, status }) =>
      Effect.gen(function*() {
        const { address } = yield* HttpServer.HttpServer
        const url = `http://127.0.0.1:${"port" in address ? address.port : 0}${path}`
        const answer = yield* Effect.promise(() => fetch(url, { headers: { "x-request-id": "mine" } }))
        assert.strictEqual(answer.headers.get("x-request-id"), "mine")
        assert.deepStrictEqual([answer.status, answer.headers.get("retry-after")], [status, retryAfter])
      })
  )
})
