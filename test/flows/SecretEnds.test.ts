import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { SecretVault } from "../../src/core/clients/secrets/SecretVault.ts"
import { approvedApp, assertRefused, layer as server } from "../support/TestServer.ts"

layer(server(), { timeout: 60_000 })("A secret that has ended", (it) => {
  it.effect("is refused by each statement that compares secrets, and the other one works", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(1_800_000_000_000)
      const vault = yield* SecretVault
      const app = yield* approvedApp()
      const tokens = yield* app.tokens()
      const code = yield* app.code()
      const [old] = yield* vault.list(app.client.id)
      const young = yield* vault.generate(app.client.id)
      const { json: repeatable } = yield* app.refresh(tokens["refresh_token"])
      yield* vault.changeEnd(app.client.id, old?.id ?? "", DateTime.add(yield* DateTime.now, { seconds: 10 }))
      // Within the grace of the token that was replaced.
      assert.strictEqual((yield* app.refresh(tokens["refresh_token"])).status, 200)
      yield* TestClock.adjust("10 seconds")
      assertRefused(yield* app.refresh(tokens["refresh_token"]), 401, "invalid_client")
      assertRefused(yield* app.refresh(repeatable["refresh_token"]), 401, "invalid_client")
      assertRefused(yield* app.exchange(code), 401, "invalid_client")
      const revoked = yield* app.post("/v2/auth/oauth2/revoke", {
        ...app.credentials,
        token: String(repeatable["refresh_token"])
      })
      assertRefused(revoked, 401, "invalid_client")

      const by = { client_secret: Redacted.value(young.secret) }
      assert.strictEqual((yield* app.exchange(code, by)).status, 200)
      assert.strictEqual((yield* app.refresh(repeatable["refresh_token"], by)).status, 200)
    }))

  it.effect("is not refused while it is the last one", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(1_900_000_000_000)
      const vault = yield* SecretVault
      const app = yield* approvedApp()
      const [only] = yield* vault.list(app.client.id)
      yield* vault.changeEnd(app.client.id, only?.id ?? "", DateTime.add(yield* DateTime.now, { seconds: 10 }))
      yield* TestClock.adjust("1 hour")
      const tokens = yield* app.tokens()
      assert.strictEqual((yield* app.refresh(tokens["refresh_token"])).status, 200)
    }))
})
