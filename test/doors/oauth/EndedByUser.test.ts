import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Connections } from "../../../src/core/consent/Connections.ts"
import { Grants } from "../../../src/core/grants/Grants.ts"
import { approvedApp, assertRefused, layer as server } from "../../support/TestServer.ts"

layer(server())("Access that its user ends", (it) => {
  it.effect("while the app refreshes is over for its old tokens and for those it gets meanwhile", () =>
    Effect.gen(function*() {
      const connections = yield* Connections
      const { client, me, refresh, tokens, user } = yield* approvedApp()
      const { access_token, refresh_token } = yield* tokens()
      yield* TestClock.adjust("1 second")
      const kept = yield* tokens()
      // The latest comes first.
      const [, device] = yield* (yield* Grants).listLive(user, client.id)
      const [meanwhile] = yield* Effect.all(
        [refresh(refresh_token), connections.disconnectDevice(user, client.id, device!.id)],
        { concurrency: "unbounded" }
      )
      for (const token of [access_token, meanwhile.json["access_token"] ?? ""]) {
        assert.strictEqual((yield* me(token)).status, 401)
      }
      for (const token of [refresh_token, meanwhile.json["refresh_token"] ?? ""]) {
        assert.strictEqual((yield* refresh(token)).status, 400)
      }
      // The other device does not notice.
      assert.strictEqual((yield* me(kept["access_token"])).status, 200)
      assert.strictEqual((yield* refresh(kept["refresh_token"])).status, 200)
    }))

  it.effect("sooner ends then for access and refresh tokens, and a code that waits opens nothing", () =>
    Effect.gen(function*() {
      const connections = yield* Connections
      const { client, code, exchange, me, refresh, tokens, user } = yield* approvedApp()
      const { refresh_token: first } = yield* tokens()
      const waiting = yield* code()
      assert.isTrue(yield* connections.shorten(user, client.id, "day"))
      assertRefused(yield* exchange(waiting), 400, "invalid_grant")
      yield* TestClock.adjust("1439 minutes")
      const { access_token, refresh_token } = (yield* refresh(first)).json
      assert.strictEqual((yield* me(access_token)).status, 200)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* me(access_token)).status, 401)
      assertRefused(yield* refresh(refresh_token), 400, "invalid_grant")
      assert.isFalse(yield* connections.shorten(user, client.id, "day"))
    }))
})
