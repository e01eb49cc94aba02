import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { FetchHttpClient, HttpServer } from "effect/http"
import { TestClock } from "effect/testing"
import { layerRemote } from "slotkey/resource"
import { serve, TestServer } from "slotkey/testing"
import { routes } from "../src/Api.ts"

/** Calls the API, which asks the server of the test about tokens. */
const api = Effect.gen(function*() {
  const { credential, fetch, url } = yield* TestServer
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const send = yield* serve(
    routes(url).pipe(
      Layer.provide(layerRemote({ baseUrl: url, credential: yield* credential })),
      Layer.provide(FetchHttpClient.layer),
      Layer.provide(Layer.succeed(FetchHttpClient.Fetch, (input, init) => run(fetch(input, init)))),
      Layer.provide(HttpServer.layerServices)
    )
  )
  return (path: string, accessToken?: string) =>
    send(
      new Request(
        new URL(path, url),
        accessToken === undefined ? {} : { headers: { authorization: `Bearer ${accessToken}` } }
      )
    )
})

// The first start on a machine makes a database, which takes long on one that is busy.
layer(TestServer.layer(), { timeout: "5 minutes" })("the API", (it) => {
  it.effect("shows users their own bookings", () =>
    Effect.gen(function*() {
      const call = yield* api
      const { tokens, user } = yield* TestServer
      const ada = yield* user({ name: "Ada" })
      const { accessToken } = yield* tokens({ user: ada, scopes: ["BOOKING_READ"] })
      const response = yield* call("/v2/bookings", accessToken)
      assert.deepStrictEqual(yield* Effect.promise(() => response.json()), [{ id: 1, title: `Coffee with ${ada.id}` }])
    }))

  it.effect("asks for a token, and for the scope of the call", () =>
    Effect.gen(function*() {
      const call = yield* api
      const { tokens } = yield* TestServer
      const { accessToken } = yield* tokens({ scopes: ["PROFILE_READ"] })
      const none = yield* call("/v2/bookings")
      assert.strictEqual(none.status, 401)
      assert.match(none.headers.get("www-authenticate") ?? "", /scope="BOOKING_READ"/)
      assert.strictEqual((yield* call("/v2/bookings", accessToken)).status, 403)
      assert.strictEqual((yield* call("/v2/event-types")).status, 200)
    }))

  it.effect("refuses a token after half an hour, and one whose app was disconnected", () =>
    Effect.gen(function*() {
      const call = yield* api
      const { refresh, revoke, tokens } = yield* TestServer
      const first = yield* tokens({ scopes: ["BOOKING_READ"] })
      assert.strictEqual((yield* call("/v2/bookings", first.accessToken)).status, 200)
      yield* TestClock.adjust("31 minutes")
      assert.strictEqual((yield* call("/v2/bookings", first.accessToken)).status, 401)
      const next = yield* refresh(first)
      assert.strictEqual((yield* call("/v2/bookings", next.accessToken)).status, 200)
      yield* revoke(next)
      assert.strictEqual((yield* call("/v2/bookings", next.accessToken)).status, 401)
    }))

  it.effect("lets nobody pass unchecked while Slotkey has no database", () =>
    Effect.gen(function*() {
      const call = yield* api
      const { tokens, whileDatabaseIsAway } = yield* TestServer
      const { accessToken } = yield* tokens({ scopes: ["BOOKING_READ"] })
      assert.strictEqual((yield* whileDatabaseIsAway(call("/v2/bookings", accessToken))).status, 503)
    }))
})
