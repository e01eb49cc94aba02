// @effect-diagnostics strictEffectProvide:off
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { readFileSync } from "node:fs"
import * as Slotkey from "../../src/index.ts"
import * as Testing from "../../src/testing.ts"
import { assertTable } from "../support/DocumentTable.ts"
import { routesOf } from "../support/Routes.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { All } from "./examples/BesideOthers.ts"

/** Routes whose answers show whether anybody has touched them. */
const Untouched = HttpRouter.addAll([
  HttpRouter.route(
    "GET",
    "/framed",
    HttpServerResponse.text("a page in a frame", { headers: { "x-frame-options": "SAMEORIGIN" } })
  ),
  HttpRouter.route("GET", "/v2/broken", Effect.die(new Error("the program's own fault")))
])

/** All ways to sign in, so that all routes are there. */
const Program = Testing.layer({
  SIGN_IN: "local oidc handover",
  OIDC_ISSUER: "https://login.platform.example",
  OIDC_CLIENT_ID: "slotkey",
  HANDOVER_URL: "https://www.platform.example/hand-over",
  HANDOVER_KEY: "A".repeat(43)
}).pipe(
  Layer.provideMerge(HttpServer.layerServices),
  Layer.provideMerge(TestDatabase.layer)
)

const send = Effect.fnUntraced(function*(path: string, init?: RequestInit) {
  const answer = yield* Testing.serve(Layer.merge(All, Untouched))
  const response = yield* answer(new Request(`https://slotkey.test${path}`, init))
  return { response, text: yield* Effect.promise(() => response.text()) }
})

layer(Program, { excludeTestServices: true })("A program with routes of its own", (it) => {
  describe("is left alone beside those of Slotkey:", () => {
    it.effect("its bodies, headers and front page are its own", () =>
      Effect.gen(function*() {
        const upload = yield* send("/uploads", { method: "POST", body: new Uint8Array(100_000) })
        assert.deepStrictEqual([upload.response.status, upload.text], [200, `{"received":100000}`])
        const framed = yield* send("/framed")
        assert.deepInclude(Object.fromEntries(framed.response.headers), { "x-frame-options": "SAMEORIGIN" })
        assert.isNull(framed.response.headers.get("x-request-id"))
        assert.strictEqual((yield* send("/")).text, "The platform")
      }))

    it.effect("so are its answers where there is nothing, and where it breaks", () =>
      Effect.gen(function*() {
        for (const path of ["/nothing", "/v2/nothing"]) {
          const { response, text } = yield* send(path)
          assert.deepStrictEqual([response.status, text], [404, ""])
        }
        const { response, text } = yield* send("/v2/broken")
        assert.deepStrictEqual([response.status, text], [500, ""])
      }))
  })

  it.effect("has the routes of Slotkey with their limits, headers and answers to failures", () =>
    Effect.gen(function*() {
      const page = yield* send("/sign-in")
      assert.strictEqual(page.response.status, 200)
      assert.deepInclude(Object.fromEntries(page.response.headers), { "x-frame-options": "DENY" })
      const large = yield* send("/v2/api-keys", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: " ".repeat(100_000)
      })
      assert.include(large.text, `"status":"error"`)
      assert.isNotNull(large.response.headers.get("x-request-id"))
      const token = yield* send("/v2/auth/oauth2/token", {
        method: "POST",
        body: new URLSearchParams({ grant_type: "x".repeat(100_000) })
      })
      assert.strictEqual(token.response.status, 413)
    }))

  it.effect("finds the paths that are taken in docs/embedding.md (UPDATE_DOCS=1 writes them)", () =>
    Effect.gen(function*() {
      const paths = (yield* routesOf(Slotkey.Routes)).map((route) => route.split(" ")[1] ?? "")
      const taken = new Set(paths.map((path) => path.startsWith("/assets/") ? "/assets/*" : path))
      assert.isFalse(taken.has("/"))
      const groups = Map.groupBy([...taken].sort(), (path) => path.split("/").slice(0, 2).join("/"))
      assertTable(
        "docs/embedding.md",
        "taken paths",
        ["taken"],
        Array.from(groups.values(), (group) => [group.map((path) => `\`${path}\``).join(", ")])
      )
    }))

  it.effect("is the example of docs/embedding.md", () =>
    Effect.sync(() => {
      const page = readFileSync(new URL("../../docs/embedding.md", import.meta.url), "utf8")
      const code = readFileSync(new URL("examples/BesideOthers.ts", import.meta.url), "utf8")
      assert.include(page, code.replace(`"../../../src/index.ts"`, `"slotkey"`))
    }))
})

layer(Program, { excludeTestServices: true })("A server that is nothing else", (it) => {
  it.effect("has a front page, and answers for all other addresses, too", () =>
    Effect.gen(function*() {
      const answer = yield* Testing.serve(Slotkey.StandaloneRoutes)
      const get = (path: string) => answer(new Request(`https://slotkey.test${path}`))
      assert.strictEqual((yield* get("/")).status, 200)
      const nothing = yield* get("/nothing")
      assert.strictEqual(nothing.status, 404)
      assert.include(yield* Effect.promise(() => nothing.text()), "There is nothing at this address.")
    }))
})
