import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { SecretVault } from "../../../../src/core/clients/secrets/SecretVault.ts"
import { approvedApp, assertRefused, layer as server } from "../../../support/TestServer.ts"

layer(server())("what a decision about an app means for its users", (it) => {
  it.effect("a suspension stops refreshing and the use of tokens at once, until the app is resumed", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const { admin, client, code, exchange, me, refresh, tokens } = yield* approvedApp()
      const { access_token, refresh_token } = yield* tokens()
      const unspent = yield* code()
      yield* review.suspend(admin, client.id, "Abuse.")
      assert.strictEqual((yield* me(access_token)).status, 401)
      assert.strictEqual((yield* refresh(refresh_token)).status, 400)
      assert.strictEqual((yield* exchange(unspent)).status, 400)
      yield* review.resume(admin, client.id)
      assert.strictEqual((yield* me(access_token)).status, 200)
      assert.strictEqual((yield* refresh(refresh_token)).status, 200)
      assert.strictEqual((yield* exchange(unspent)).status, 200)
    }))

  it.effect("the review of an addition, its refusal, and fewer scopes disturb nobody", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const { admin, client, me, owner, refresh, tokens } = yield* approvedApp()
      let { access_token, refresh_token } = yield* tokens()
      const works = Effect.gen(function*() {
        assert.strictEqual((yield* me(access_token)).status, 200)
        const { json } = yield* refresh(refresh_token)
        assert.strictEqual(json["scope"], "BOOKING_READ PROFILE_READ")
        ;({ access_token, refresh_token } = json)
      })
      const { version } = yield* registry.edit(owner, client.id, {
        scopes: ["BOOKING_READ", "PROFILE_READ", "ORG_BOOKING_READ"]
      })
      yield* works
      yield* review.reject(admin, client.id, "Why all?", version)
      yield* works
      yield* registry.edit(owner, client.id, { scopes: ["PROFILE_READ"] })
      yield* works
    }))

  it.effect("a deletion ends the app, its secrets, its codes and its tokens", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const { client, code, exchange, me, owner, refresh, tokens } = yield* approvedApp()
      const { access_token, refresh_token } = yield* tokens()
      const unspent = yield* code()
      yield* registry.remove(owner, client.id)
      assert.strictEqual((yield* me(access_token)).status, 401)
      assertRefused(yield* refresh(refresh_token), 401, "invalid_client")
      assertRefused(yield* exchange(unspent), 401, "invalid_client")
    }))

  it.effect("secrets are rotated without downtime, and a revoked one is refused at once", () =>
    Effect.gen(function*() {
      const vault = yield* SecretVault
      const { client, code, exchange, me, refresh, tokens } = yield* approvedApp()
      const { access_token, refresh_token } = yield* tokens()
      const [old] = yield* vault.list(client.id)
      yield* TestClock.adjust("1 minute")
      const { secret } = yield* vault.generate(client.id)
      const client_secret = Redacted.value(secret)
      const first = yield* refresh(refresh_token)
      assert.strictEqual(first.status, 200)
      assert.strictEqual((yield* exchange(yield* code(), { client_secret })).status, 200)
      yield* vault.revoke(client.id, old?.id ?? "")
      assertRefused(yield* refresh(first.json["refresh_token"]), 401, "invalid_client")
      assertRefused(yield* exchange(yield* code()), 401, "invalid_client")
      assert.strictEqual((yield* refresh(first.json["refresh_token"], { client_secret })).status, 200)
      assert.strictEqual((yield* me(access_token)).status, 200)
      assert.deepInclude((yield* vault.list(client.id))[0], { lastUsedAt: yield* DateTime.now })
    }))
})
