// @effect-diagnostics strictEffectProvide:off
import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Redacted } from "effect"
import { ResourceServers } from "../../../src/core/tokens/ResourceServers.ts"
import { approvedApp, assertRefused, basic, layer as server } from "../../support/TestServer.ts"

layer(server())((it) => {
  describe("RFC 7662 token introspection", () => {
    const path = "/v2/auth/oauth2/introspect"

    it.effect("tells a client about its own tokens", () =>
      Effect.gen(function*() {
        const now = Math.floor((yield* DateTime.now).epochMilliseconds / 1000)
        const { client, credentials, post, refresh, tokens, user } = yield* approvedApp()
        const { access_token, refresh_token } = yield* tokens()
        const about = (token: unknown) =>
          Effect.map(post(path, { ...credentials, token: String(token) }), ({ json }) => json)
        const { grant_id, jti, ...access } = yield* about(access_token)
        assert.isString(jti)
        assert.isString(grant_id)
        assert.deepStrictEqual(access, {
          active: true,
          scope: "BOOKING_READ PROFILE_READ",
          client_id: client.id,
          username: user,
          token_type: "bearer",
          iat: now,
          exp: now + 1800,
          sub: user,
          aud: "https://slotkey.test",
          iss: "https://slotkey.test"
        })
        assert.deepStrictEqual(yield* about(refresh_token), {
          active: true,
          scope: "BOOKING_READ PROFILE_READ",
          client_id: client.id,
          username: user,
          iat: now,
          exp: now + 60 * 86_400,
          sub: user,
          aud: "https://slotkey.test",
          iss: "https://slotkey.test"
        })
        const { json } = yield* refresh(refresh_token)
        assert.deepStrictEqual(yield* about(refresh_token), { active: false })
        assert.strictEqual((yield* about(json["refresh_token"]))["active"], true)
        yield* post("/v2/auth/oauth2/revoke", { ...credentials, token: String(access_token) })
        for (const token of [access_token, json["refresh_token"], "x"]) {
          assert.deepStrictEqual(yield* about(token), { active: false })
        }
      }))

    it.effect.each(["ES256", "RS256", "EdDSA"])(
      "verifies the signature (§4): %s",
      (ACCESS_TOKEN_ALGORITHM) =>
        Effect.gen(function*() {
          const { credentials, me, post, tokens } = yield* approvedApp()
          const { access_token } = yield* tokens()
          const about = (token: string) =>
            Effect.map(post(path, { ...credentials, token }), ({ json }) => json["active"])
          const genuine = String(access_token)
          const forged = genuine.replace(/[\w-]+$/, (signature) => "A".repeat(signature.length))
          assert.deepStrictEqual([yield* about(genuine), yield* about(forged)], [true, false])
          assert.strictEqual((yield* me(forged)).status, 200)
        }).pipe(Effect.provide(server({ ACCESS_TOKEN_ALGORITHM })))
    )

    it.effect("names the user to resource servers, and to clients whose token may read the profile", () =>
      Effect.gen(function*() {
        const { credential } = yield* (yield* ResourceServers).create("Calendars")
        const asServer = { authorization: `Bearer ${Redacted.value(credential)}` }
        const { credentials, post, tokens, user } = yield* approvedApp({ scopes: ["BOOKING_READ", "PROFILE_READ"] })
        const { access_token, refresh_token } = yield* tokens({ scopes: ["BOOKING_READ"] })
        for (const token of [access_token, refresh_token]) {
          const { json } = yield* post(path, { ...credentials, token: String(token) })
          assert.deepInclude(json, { active: true, sub: user })
          assert.notProperty(json, "username")
        }
        const about = yield* post(path, { token: String(access_token) }, asServer)
        assert.deepInclude(about.json, { sub: user, username: user })
      }))

    it.effect("tells a client nothing about the tokens of another", () =>
      Effect.gen(function*() {
        const { tokens } = yield* approvedApp()
        const other = yield* approvedApp()
        const { access_token, refresh_token } = yield* tokens()
        for (const token of [access_token, refresh_token, "x"]) {
          const { status, text } = yield* other.post(path, { ...other.credentials, token: String(token) })
          assert.deepStrictEqual([status, text], [200, "{\"active\":false}"])
        }
      }))

    it.effect("tells a resource server about the access tokens of every client", () =>
      Effect.gen(function*() {
        const servers = yield* ResourceServers
        const { credentials, post, tokens } = yield* approvedApp()
        const { access_token, refresh_token } = yield* tokens({ scopes: null })
        const { credential, server } = yield* servers.create("Bookings")
        const secret = Redacted.value(credential)
        for (
          const [fields, headers] of [
            [{}, { authorization: `Bearer ${secret}` }],
            [{}, basic(server.id, secret)],
            [{ client_id: server.id, client_secret: secret }, {}]
          ] as const
        ) {
          const { json } = yield* post(path, { ...fields, token: String(access_token) }, headers)
          assert.deepInclude(json, { active: true, unrestricted: true })
          assert.notProperty(json, "scope")
          const about = yield* post(path, { ...fields, token: String(refresh_token) }, headers)
          assert.deepStrictEqual(about.json, { active: false })
        }
        const { server: second } = yield* servers.create("Teams")
        for (const id of [second.id, credentials.client_id, "slk_resource_unknown"]) {
          assertRefused(yield* post(path, { token: "x" }, basic(id, secret)), 401, "invalid_client")
        }
        assert.isTrue(yield* servers.revoke(server.id))
        assertRefused(yield* post(path, { token: "x" }, basic(server.id, secret)), 401, "invalid_client")
        for (const authorization of [`Bearer ${secret}`, "Bearer"]) {
          const answer = yield* post(path, { token: "x" }, { authorization })
          assertRefused(answer, 401, "invalid_token")
          assert.match(answer.headers.get("www-authenticate") ?? "", /^Bearer error="invalid_token", Basic /)
        }
      }))

    it.effect("tells nothing without authentication", () =>
      Effect.gen(function*() {
        const { credentials, post, secret, tokens } = yield* approvedApp()
        const open = yield* approvedApp({ kind: "public" })
        const token = String((yield* tokens())["access_token"])
        assertRefused(yield* post(path, { token }), 401, "invalid_client")
        assertRefused(yield* post(path, { token, client_id: credentials.client_id }), 401, "invalid_client")
        assertRefused(yield* post(path, { token, ...open.credentials }), 401, "invalid_client")
        const bearer = { authorization: `Bearer ${secret}` }
        assertRefused(yield* post(path, { token }, bearer), 401, "invalid_token")
        assertRefused(yield* post(path, { token, ...credentials }, bearer), 400, "invalid_request")
      }))
  })
})
