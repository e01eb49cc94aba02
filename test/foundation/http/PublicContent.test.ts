import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { publicContent } from "../../../src/foundation/http/PublicContent.ts"
import { httpSender } from "../../support/HttpSender.ts"

const text = "All that this server says to everybody. ".repeat(100)

const add = (path: `/${string}`, body: string) =>
  HttpRouter.add("GET", path, publicContent({ body, contentType: "text/plain", cacheControl: "no-cache" }))

const Contents = Layer.merge(add("/long", text), add("/short", "Little.")).pipe(Layer.provide(HttpServer.layerServices))

class Sender extends Context.Service<Sender, Effect.Success<ReturnType<typeof httpSender>>>()(
  "slotkey/test/foundation/http/PublicContent.test/Sender"
) {}

const Sending = Layer.effect(Sender, httpSender(Contents))

/** Answer to a request with these headers, as it goes over the wire. */
const ask = Effect.fnUntraced(function*(headers: Record<string, string> = {}, path = "/long", method = "GET") {
  const response = yield* (yield* Sender)(path, { method, headers })
  return {
    status: response.status,
    body: Buffer.from(yield* Effect.promise(() => response.arrayBuffer())),
    coding: response.headers.get("content-encoding"),
    etag: response.headers.get("etag") ?? "",
    vary: response.headers.get("vary"),
    cacheControl: response.headers.get("cache-control")
  }
})

layer(Sending)("public content", (it) => {
  const codings: ReadonlyArray<readonly [acceptEncoding: string | undefined, coding: "br" | "gzip" | null]> = [
    [undefined, null],
    ["", null],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0.2, gzip;q=0.9", "gzip"],
    ["gzip;q=0", null],
    ["deflate", null],
    ["*", "br"],
    ["br;q=0, *", "gzip"],
    ["gzip, *;q=0", "gzip"],
    ["identity, gzip;q=0.5", null],
    ["identity;q=0, gzip", "gzip"],
    ["identity;q=0", null],
    [",;=", null]
  ]
  it.effect.each(codings)(
    "that is accepted as %s is sent in the coding %s",
    ([acceptEncoding, coding]) =>
      Effect.gen(function*() {
        const answer = yield* ask(acceptEncoding === undefined ? {} : { "accept-encoding": acceptEncoding })
        assert.strictEqual(answer.coding, coding)
        assert.strictEqual(answer.vary, "accept-encoding")
        const decoded = coding === "br"
          ? brotliDecompressSync(answer.body)
          : coding === "gzip"
          ? gunzipSync(answer.body)
          : answer.body
        assert.strictEqual(decoded.toString(), text)
        if (coding !== null) assert.isBelow(answer.body.length, 200)
      })
  )

  it.effect("that fits a packet anyway is not compressed", () =>
    Effect.gen(function*() {
      const { body, coding } = yield* ask({ "accept-encoding": "br" }, "/short")
      assert.deepStrictEqual([coding, body.toString()], [null, "Little."])
    }))

  it.effect("that the caller has is not sent again, in any coding", () =>
    Effect.gen(function*() {
      const tags = new Set<string>()
      for (const coding of ["br", "gzip", "identity"]) {
        const headers = { "accept-encoding": coding }
        const { etag } = yield* ask(headers)
        tags.add(etag)
        for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
          const answer = yield* ask({ ...headers, "if-none-match": known })
          assert.strictEqual(answer.status, 304, known)
          assert.strictEqual(answer.body.length, 0)
          assert.deepInclude(answer, { etag, vary: "accept-encoding", cacheControl: "no-cache", coding: null })
        }
        const stale = yield* ask({ ...headers, "if-none-match": `"other", "${etag}"` })
        assert.strictEqual(stale.status, 200)
      }
      assert.strictEqual(tags.size, 3)
    }))

  it.effect("that the caller has in another coding is sent", () =>
    Effect.gen(function*() {
      const { etag } = yield* ask({ "accept-encoding": "gzip" })
      const answer = yield* ask({ "accept-encoding": "br", "if-none-match": etag })
      assert.deepStrictEqual([answer.status, answer.coding], [200, "br"])
    }))

  it.effect("has another validator when it changes", () =>
    Effect.gen(function*() {
      assert.notStrictEqual((yield* ask()).etag, (yield* ask({}, "/short")).etag)
    }))

  it.effect("has a head without a body", () =>
    Effect.gen(function*() {
      const get = yield* ask({ "accept-encoding": "br" })
      const head = yield* ask({ "accept-encoding": "br" }, "/long", "HEAD")
      assert.deepStrictEqual(head, { ...get, body: Buffer.alloc(0) })
    }))
})
