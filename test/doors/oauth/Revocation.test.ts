import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { approvedApp, assertRefused, layer as server } from "../../support/TestServer.ts"

layer(server())((it) => {
  describe("RFC 7009 token revocation", () => {
    for (const kind of ["access_token", "refresh_token"]) {
      it.effect(`ends all tokens of the grant of an ${kind}`, () =>
        Effect.gen(function*() {
          const { credentials, me, post, refresh, tokens } = yield* approvedApp()
          const issued = yield* tokens()
          const kept = yield* tokens()
          const { headers, status } = yield* post("/v2/auth/oauth2/revoke", {
            ...credentials,
            token: String(issued[kind]),
            token_type_hint: "something"
          })
          assert.strictEqual(status, 200)
          assert.strictEqual(headers.get("cache-control"), "no-store")
          assert.strictEqual((yield* me(issued["access_token"])).status, 401)
          assertRefused(yield* refresh(issued["refresh_token"]), 400, "invalid_grant")
          assert.strictEqual((yield* me(kept["access_token"])).status, 200)
        }))
    }

    it.effect("ends the grant of a refresh token that was replaced, too", () =>
      Effect.gen(function*() {
        const { credentials, post, refresh, tokens } = yield* approvedApp()
        const { refresh_token } = yield* tokens()
        const { json } = yield* refresh(refresh_token)
        yield* post("/v2/auth/oauth2/revoke", { ...credentials, token: String(refresh_token) })
        assertRefused(yield* refresh(json["refresh_token"]), 400, "invalid_grant")
      }))

    it.effect("answers unknown tokens and those of other clients alike, and revokes nothing", () =>
      Effect.gen(function*() {
        const { me, refresh, tokens } = yield* approvedApp()
        const other = yield* approvedApp()
        const { access_token, refresh_token } = yield* tokens()
        for (const token of ["x", String(access_token), String(refresh_token), "\u{1f600}"]) {
          const { status } = yield* other.post("/v2/auth/oauth2/revoke", { ...other.credentials, token })
          assert.strictEqual(status, 200)
        }
        assert.strictEqual((yield* me(access_token)).status, 200)
        assert.strictEqual((yield* refresh(refresh_token)).status, 200)
      }))

    it.effect("requires authentication and a token", () =>
      Effect.gen(function*() {
        const { credentials, post } = yield* approvedApp()
        assertRefused(yield* post("/v2/auth/oauth2/revoke", { token: "x" }), 400, "invalid_request")
        assertRefused(yield* post("/v2/auth/oauth2/revoke", credentials), 400, "invalid_request")
        const wrong = { ...credentials, client_secret: "x", token: "x" }
        assertRefused(yield* post("/v2/auth/oauth2/revoke", wrong), 401, "invalid_client")
      }))

    it.effect("lets a public client revoke its own tokens", () =>
      Effect.gen(function*() {
        const { credentials, post, refresh, tokens } = yield* approvedApp({ kind: "public" })
        const { refresh_token } = yield* tokens()
        yield* post("/v2/auth/oauth2/revoke", { ...credentials, token: String(refresh_token) })
        assertRefused(yield* refresh(refresh_token), 400, "invalid_grant")
      }))
  })
})
