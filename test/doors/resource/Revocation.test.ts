// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { CodeStore } from "../../../src/core/grants/CodeStore.ts"
import { Grants } from "../../../src/core/grants/Grants.ts"
import { catalogue, type GrantedScopes } from "../../../src/domain/catalogue/BuiltInScope.ts"
import * as Credential from "../../../src/domain/Credential.ts"
import * as Testing from "../../../src/testing.ts"
import { approvedClient, newAccount } from "../../core/clients/Scenario.ts"
import { newGrantId, sha256, writeAccessToken } from "../../core/tokens/Fixture.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

/** A server that shares nothing but the database with the others. */
const node = Effect.gen(function*() {
  const services = yield* Layer.build(Layer.fresh(Testing.layer(TestDatabase.patient)))
  const send = yield* Effect.provideContext(Testing.server, services)
  const check = (token: string, target = "/v2/bookings") =>
    Effect.map(
      send(
        new Request("https://slotkey.test/v2/auth/oauth2/check/nginx", {
          headers: { authorization: `Bearer ${token}`, "x-original-method": "GET", "x-original-uri": target }
        })
      ),
      (response) => ({ status: response.status, challenge: response.headers.get("www-authenticate") ?? "" })
    )
  return { services, check }
})

/** An approved app with an access token, made on one node. */
const connected = Effect.fnUntraced(function*(scopes: GrantedScopes = ["BOOKING_READ"]) {
  const admin = yield* newAccount("admin", "admin")
  const userId = yield* newAccount("user")
  const { id: clientId } = yield* approvedClient(admin, admin, { kind: "public" })
  const redirectUri = "https://app.example/callback"
  const code = yield* (yield* CodeStore).issue({ clientId, userId, scopes, redirectUri, codeChallenge: null })
  const grantId = yield* newGrantId
  const redeemed = yield* (yield* Grants).redeem({
    digest: Credential.digest(Redacted.value(code)),
    clientId,
    secretDigest: null,
    redirectUri,
    codeChallenge: null,
    grantId,
    handleDigest: sha256(grantId)
  })
  assert.strictEqual(redeemed._tag, "Redeemed")
  const token = yield* writeAccessToken({ userId, clientId, grantId, scopes, generation: 0 })
  return { admin, userId, clientId, grantId, token }
})

layer(Layer.merge(TestDatabase.layer, HttpServer.layerServices))("two nodes on one database", (it) => {
  it.effect("a grant that is revoked on one is refused by the next check of the other", () =>
    Effect.gen(function*() {
      const one = yield* node
      const other = yield* node
      const { grantId, token } = yield* Effect.provideContext(connected(), one.services)
      const kept = yield* Effect.provideContext(connected(), one.services)
      assert.strictEqual((yield* one.check(token)).status, 200)
      assert.strictEqual((yield* other.check(token)).status, 200)
      assert.strictEqual((yield* other.check(token, "/v2/webhooks")).status, 403)

      yield* Context.get(one.services, Grants).revoke(grantId, "displaced")

      for (const { check } of [other, one]) {
        const refused = yield* check(token)
        assert.strictEqual(refused.status, 401)
        assert.match(refused.challenge, /error="invalid_token"/)
        assert.strictEqual((yield* check(kept.token)).status, 200)
      }
    }))

  it.effect("an app that its user disconnects, and one that is suspended, are refused at once", () =>
    Effect.gen(function*() {
      const one = yield* node
      const other = yield* node
      const review = Context.get(one.services, ClientReview)

      const left = yield* Effect.provideContext(connected(), other.services)
      assert.strictEqual((yield* other.check(left.token)).status, 200)
      yield* Context.get(one.services, Grants).disconnect(left.userId, left.clientId)
      assert.strictEqual((yield* other.check(left.token)).status, 401)

      const { admin, clientId, token } = yield* Effect.provideContext(connected(), other.services)
      assert.strictEqual((yield* other.check(token)).status, 200)
      yield* review.suspend(admin, clientId, "It misbehaves.")
      assert.strictEqual((yield* other.check(token)).status, 401)
    }))

  it.effect("a legacy grant passes where no scope would, and not where no app may go", () =>
    Effect.gen(function*() {
      const { check, services } = yield* node
      const { token } = yield* Effect.provideContext(connected(null), services)
      assert.strictEqual((yield* check(token, "/v2/webhooks")).status, 200)
      assert.strictEqual((yield* check(token, "/v2/organizations/1/users")).status, 200)
      assert.strictEqual((yield* check(token, "/v2/workflows")).status, 200)
      assert.strictEqual((yield* check(token, "/v2/oauth-clients")).status, 403)
      assert.strictEqual((yield* check(token, "/v2/nothing")).status, 403)
      const { token: scoped } = yield* Effect.provideContext(connected(catalogue), services)
      assert.strictEqual((yield* check(scoped, "/v2/workflows")).status, 403)
      assert.strictEqual((yield* check("no token of ours", "/v2/workflows")).status, 401)
      assert.strictEqual((yield* check("no token of ours", "/v2/oauth-clients")).status, 403)
    }))
})
