import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { TestClock } from "effect/testing"
import * as Testing from "../../../src/testing.ts"
import * as DatabaseOutage from "../../support/DatabaseOutage.ts"
import { approvedApp, assertRefused } from "../../support/TestServer.ts"

const Server = Layer.merge(Testing.layer(), HttpServer.layerServices).pipe(Layer.provideMerge(DatabaseOutage.layer))

layer(Server)("a code that comes again while the database fails", (it) => {
  it.effect("ends no grant until the outage is over: another node may have had no answer for its client", () =>
    Effect.gen(function*() {
      const { code, exchange, me } = yield* approvedApp()
      const { away } = yield* DatabaseOutage.DatabaseOutage
      const text = yield* code()
      const { json } = yield* exchange(text)
      assert.strictEqual((yield* away(me(json["access_token"]))).status, 503)

      const repeated = yield* exchange(text)
      assertRefused(repeated, 503, "temporarily_unavailable")
      assert.isNotNull(repeated.headers.get("retry-after"))
      assert.strictEqual((yield* me(json["access_token"])).status, 200)

      yield* TestClock.adjust("21 seconds")
      assertRefused(yield* exchange(text), 400, "invalid_grant")
      assert.strictEqual((yield* me(json["access_token"])).status, 401)
    }))
})
