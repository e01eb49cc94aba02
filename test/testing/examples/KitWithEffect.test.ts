import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { TestServer } from "../../../src/testing.ts"

layer(TestServer.layer())("the API", (it) => {
  it.effect("refuses a token after half an hour", () =>
    Effect.gen(function*() {
      const { fetch, tokens } = yield* TestServer
      const { accessToken } = yield* tokens()
      yield* TestClock.adjust("31 minutes")
      const { status } = yield* fetch("/v2/me", { headers: { authorization: `Bearer ${accessToken}` } })
      assert.strictEqual(status, 401)
    }))
})
