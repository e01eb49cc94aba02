import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose"
import { ResourceServers } from "../../../src/core/tokens/ResourceServers.ts"
import { assertRefused, basic, layer as server, network, scene } from "../../support/Scenario.ts"

layer(server())((it) => {
  describe("Specification §4.4 GET /v2/me", () => {
    it.effect("answers the profile of the user who authorized the app", () =>
      Effect.gen(function*() {
        const { me, tokens, user } = yield* scene()
        const { headers, json } = yield* me((yield* tokens())["access_token"])
        assert.strictEqual(headers.get("cache-control"), "no-store")
        assert.deepStrictEqual(json, {
          status: "success",
          data: {
            id: user,
            username: user,
            email: `${user}@example.com`,
            name: "user",
            avatarUrl: null,
            bio: null,
            timeFormat: 12,
            defaultScheduleId: null,
            weekStart: "Sunday",
            timeZone: "UTC",
            locale: "en",
            organizationId: null
          }
        })
      }))
  })

  describe("RFC 6750 §3.1 bearer errors", () => {
    const metadata = "resource_metadata=\"https://slotkey.test/.well-known/oauth-protected-resource\""

    it.effect("tells no error to who sends no token", () =>
      Effect.gen(function*() {
        const { ask } = yield* network
        for (const path of ["/v2/me", "/v2/me?access_token=x"]) {
          const { headers, json, status } = yield* ask(path)
          assert.strictEqual(status, 401)
          assert.strictEqual(headers.get("www-authenticate"), `Bearer scope="PROFILE_READ", ${metadata}`)
          assert.deepInclude(json, { status: "error", path: "/v2/me" })
        }
      }))

    it.effect("refuses an invalid, expired, or foreign token alike", () =>
      Effect.gen(function*() {
        const { me, tokens } = yield* scene()
        const { access_token, refresh_token } = yield* tokens()
        yield* TestClock.adjust("30 minutes")
        for (const token of ["x", "a b", "", access_token, refresh_token, `${access_token}x`]) {
          const { headers, json, status } = yield* me(token)
          assert.strictEqual(status, 401)
          assert.deepInclude(json["error"], { code: "invalid_token" })
          assert.include(headers.get("www-authenticate"), "error=\"invalid_token\"")
        }
      }))

    it.effect("names the scope that is missing", () =>
      Effect.gen(function*() {
        const { me, tokens } = yield* scene({ scopes: ["BOOKING_READ", "TEAM_PROFILE_READ"] })
        const { headers, json, status } = yield* me((yield* tokens())["access_token"])
        assert.strictEqual(status, 403)
        assert.deepInclude(json["error"], { code: "insufficient_scope" })
        const challenge = headers.get("www-authenticate")
        assert.include(challenge, "error=\"insufficient_scope\"")
        assert.include(challenge, "scope=\"PROFILE_READ\"")
      }))

    it.effect("refuses the token of an account that is gone", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { me, tokens, user } = yield* scene()
        const { access_token } = yield* tokens()
        yield* sql`DELETE FROM accounts WHERE id = ${user}`
        assert.strictEqual((yield* me(access_token)).status, 401)
      }))
  })

  describe("RFC 7009 token revocation", () => {
    for (const kind of ["access_token", "refresh_token"]) {
      it.effect(`ends all tokens of the grant of an ${kind}`, () =>
        Effect.gen(function*() {
          const { credentials, me, post, refresh, tokens } = yield* scene()
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
        const { credentials, post, refresh, tokens } = yield* scene()
        const { refresh_token } = yield* tokens()
        const { json } = yield* refresh(refresh_token)
        yield* post("/v2/auth/oauth2/revoke", { ...credentials, token: String(refresh_token) })
        assertRefused(yield* refresh(json["refresh_token"]), 400, "invalid_grant")
      }))

    it.effect("answers unknown tokens and those of others alike, and harms nothing", () =>
      Effect.gen(function*() {
        const { me, refresh, tokens } = yield* scene()
        const other = yield* scene()
        const { access_token, refresh_token } = yield* tokens()
        for (const token of ["x", String(access_token), String(refresh_token), "\u{1f600}"]) {
          const { status } = yield* other.post("/v2/auth/oauth2/revoke", { ...other.credentials, token })
          assert.strictEqual(status, 200)
        }
        assert.strictEqual((yield* me(access_token)).status, 200)
        assert.strictEqual((yield* refresh(refresh_token)).status, 200)
      }))

    it.effect("asks for authentication and a token", () =>
      Effect.gen(function*() {
        const { credentials, post } = yield* scene()
        assertRefused(yield* post("/v2/auth/oauth2/revoke", { token: "x" }), 400, "invalid_request")
        assertRefused(yield* post("/v2/auth/oauth2/revoke", credentials), 400, "invalid_request")
        const wrong = { ...credentials, client_secret: "x", token: "x" }
        assertRefused(yield* post("/v2/auth/oauth2/revoke", wrong), 401, "invalid_client")
      }))

    it.effect("lets a public client end its own", () =>
      Effect.gen(function*() {
        const { credentials, post, refresh, tokens } = yield* scene({ kind: "public" })
        const { refresh_token } = yield* tokens()
        yield* post("/v2/auth/oauth2/revoke", { ...credentials, token: String(refresh_token) })
        assertRefused(yield* refresh(refresh_token), 400, "invalid_grant")
      }))
  })

  describe("RFC 7662 token introspection", () => {
    const path = "/v2/auth/oauth2/introspect"

    it.effect("tells a client about its own tokens", () =>
      Effect.gen(function*() {
        const now = Math.floor((yield* DateTime.now).epochMilliseconds / 1000)
        const { client, credentials, post, refresh, tokens, user } = yield* scene()
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
          iat: now,
          exp: now + 60 * 86_400,
          sub: user,
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

    it.effect("tells a client nothing about the tokens of another", () =>
      Effect.gen(function*() {
        const { tokens } = yield* scene()
        const other = yield* scene()
        const { access_token, refresh_token } = yield* tokens()
        for (const token of [access_token, refresh_token, "x"]) {
          const { status, text } = yield* other.post(path, { ...other.credentials, token: String(token) })
          assert.deepStrictEqual([status, text], [200, "{\"active\":false}"])
        }
      }))

    it.effect("tells a resource server about the access tokens of all", () =>
      Effect.gen(function*() {
        const servers = yield* ResourceServers
        const { credentials, post, tokens } = yield* scene()
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

    it.effect("tells nothing to who does not authenticate", () =>
      Effect.gen(function*() {
        const { credentials, post, secret, tokens } = yield* scene()
        const open = yield* scene({ kind: "public" })
        const token = String((yield* tokens())["access_token"])
        assertRefused(yield* post(path, { token }), 401, "invalid_client")
        assertRefused(yield* post(path, { token, client_id: credentials.client_id }), 401, "invalid_client")
        assertRefused(yield* post(path, { token, ...open.credentials }), 401, "invalid_client")
        const bearer = { authorization: `Bearer ${secret}` }
        assertRefused(yield* post(path, { token }, bearer), 401, "invalid_token")
        assertRefused(yield* post(path, { token, ...credentials }, bearer), 400, "invalid_request")
      }))
  })

  describe("RFC 8414 authorization server metadata", () => {
    it.effect("lists what works, under the issuer byte for byte", () =>
      Effect.gen(function*() {
        const { ask } = yield* network
        const { headers, json, status } = yield* ask("/.well-known/oauth-authorization-server")
        assert.strictEqual(status, 200)
        assert.strictEqual(headers.get("access-control-allow-origin"), "*")
        assert.deepInclude(json, {
          issuer: "https://slotkey.test",
          authorization_endpoint: "https://slotkey.test/auth/oauth2/authorize",
          token_endpoint: "https://slotkey.test/v2/auth/oauth2/token",
          response_types_supported: ["code"],
          grant_types_supported: ["authorization_code", "refresh_token"],
          code_challenge_methods_supported: ["S256"],
          authorization_response_iss_parameter_supported: true
        })
        assert.strictEqual((json["scopes_supported"] as ReadonlyArray<string>).length, 46)
        for (const [name, url] of Object.entries(json)) {
          if (!name.endsWith("_endpoint") && name !== "jwks_uri") continue
          const method = name === "authorization_endpoint" || name === "jwks_uri" ? "GET" : "POST"
          const answer = yield* ask(new URL(String(url)).pathname, { method })
          assert.notInclude([404, 405, 500], answer.status, name)
        }
      }))

    it.effect("names keys that verify the tokens (RFC 7517)", () =>
      Effect.gen(function*() {
        const { ask, tokens } = yield* scene()
        const { access_token } = yield* tokens()
        const { json } = yield* ask("/.well-known/jwks.json")
        const keys = createLocalJWKSet(json as unknown as JSONWebKeySet)
        const currentDate = DateTime.toDateUtc(yield* DateTime.now)
        yield* Effect.promise(() => jwtVerify(String(access_token), keys, { currentDate }))
        assert.notInclude(JSON.stringify(json), "\"d\":")
      }))
  })

  describe("Cross-origin requests", () => {
    it.effect("are open where apps in a browser go, and closed elsewhere", () =>
      Effect.gen(function*() {
        const { ask } = yield* network
        const open = [
          "/v2/auth/oauth2/token",
          "/v2/auth/oauth2/revoke",
          "/.well-known/oauth-authorization-server",
          "/.well-known/jwks.json"
        ]
        for (const path of [...open, "/v2/auth/oauth2/introspect", "/auth/oauth2/authorize", "/v2/api-keys"]) {
          const { headers, status } = yield* ask(path, {
            method: "OPTIONS",
            headers: { origin: "https://spa.test", "access-control-request-method": "POST" }
          })
          const allowed = open.includes(path) ? "*" : null
          assert.strictEqual(headers.get("access-control-allow-origin"), allowed, path)
          if (open.includes(path)) assert.strictEqual(status, 204)
        }
      }))
  })
})

layer(server({ ISSUER: "https://slotkey.test/tenant" }))("RFC 8414 §3.1 an issuer with a path", (it) => {
  it.effect("is found between the host and the path", () =>
    Effect.gen(function*() {
      const { ask } = yield* network
      const { json } = yield* ask("/.well-known/oauth-authorization-server/tenant")
      assert.strictEqual(json["issuer"], "https://slotkey.test/tenant")
    }))
})
