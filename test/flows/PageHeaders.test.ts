// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { Routes } from "../../src/app/Routes.ts"
import { Sessions } from "../../src/core/accounts/people/Sessions.ts"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import * as Testing from "../../src/testing.ts"
import { registration } from "../core/clients/Fixture.ts"
import { newAccount } from "../core/clients/Scenario.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const Server = Layer.mergeAll(Testing.layer(), HttpServer.layerServices).pipe(Layer.provideMerge(TestDatabase.layer))

/** The paths of all pages, read from the routes. */
const pages = Effect.gen(function*() {
  const router = yield* HttpRouter.make
  const found: Array<string> = []
  const recording = HttpRouter.HttpRouter.of({
    ...router,
    add: (method, path, handler, options) => {
      if (method === "GET") found.push(path)
      return router.add(method, path, handler, options)
    }
  })
  const recorded = Routes.pipe(Layer.provide(Layer.succeed(HttpRouter.HttpRouter, recording)))
  // No handler runs here, so what handlers need from a request is not provided.
  yield* Layer.build(recorded as Layer.Layer<never, never, HttpRouter.Request.Without<Layer.Services<typeof recorded>>>)
  return found
})

/** Pages through which an app leads its users in a window of its own, which the app goes on hearing from. */
const isOfFlow = (path: string) => /^\/(auth|continue|sign-in|sign-out)\b/.test(path)

layer(Server, { excludeTestServices: true })("A page", (it) => {
  it.effect("may use no device, and is out of reach for windows of other sites unless an app may have opened it", () =>
    Effect.gen(function*() {
      const send = yield* Testing.server
      const admin = yield* newAccount("admin", "admin")
      const cookie = `__Host-slotkey=${Redacted.value(yield* (yield* Sessions).start(admin))}`
      const { client } = yield* (yield* ClientRegistry).register(admin, registration)
      const seen: Array<string> = []
      for (const path of yield* pages) {
        const address = path.replace(":id", path.startsWith("/users/") ? admin : client.id)
        for (const headers of [{ cookie }, {}]) {
          const answer = yield* send(new Request(`https://slotkey.test${address}`, { headers, redirect: "manual" }))
          const opener = answer.headers.get("cross-origin-opener-policy")
          if (answer.headers.get("content-type")?.startsWith("text/html") !== true) {
            // A redirect would cut the connection as well.
            assert.isNull(opener, path)
            continue
          }
          seen.push(path)
          assert.include(answer.headers.get("permissions-policy"), "camera=(), ", path)
          const isPublic = answer.headers.get("cache-control") === "no-cache"
          assert.strictEqual(opener, isOfFlow(path) || isPublic ? null : "same-origin", path)
        }
      }
      assert.includeMembers(seen, [
        "/account",
        "/review",
        "/settings/apps/:id",
        "/sign-in",
        "/auth/oauth2/authorize",
        "/docs"
      ])
    }))
})
