import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { decodeJwt } from "jose"
import { approvedApp, assertRefused, layer as server } from "../../support/TestServer.ts"

layer(server())("An end that the user chose", (it) => {
  it.effect("is told with each answer, and neither the access token nor the refresh token outlives it", () =>
    Effect.gen(function*() {
      const { code, exchange, me, refresh } = yield* approvedApp()
      const end = DateTime.add(yield* DateTime.now, { days: 1 })
      const first = yield* exchange(yield* code({ grantExpiresAt: end }))
      const ends = { refresh_token_timeout: 86_400, authorization_expires_in: 86_400 }
      assert.deepInclude(first.json, { ...ends, expires_in: 1800 })

      yield* TestClock.adjust(Duration.minutes(23 * 60 + 50))
      const last = yield* refresh(first.json["refresh_token"])
      assert.deepInclude(last.json, { expires_in: 600, refresh_token_timeout: 600, authorization_expires_in: 600 })
      assert.isAtMost(decodeJwt(String(last.json["access_token"])).exp ?? 0, DateTime.toEpochMillis(end) / 1000)
      assert.strictEqual((yield* me(last.json["access_token"])).status, 200)

      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* me(last.json["access_token"])).status, 401)
      assertRefused(yield* refresh(last.json["refresh_token"]), 400, "invalid_grant")
    }))

  it.effect("ends a code that was not exchanged before it", () =>
    Effect.gen(function*() {
      const { code, exchange } = yield* approvedApp()
      const unspent = yield* code({ grantExpiresAt: DateTime.add(yield* DateTime.now, { seconds: 30 }) })
      yield* TestClock.adjust("30 seconds")
      assertRefused(yield* exchange(unspent), 400, "invalid_grant")
    }))
})
