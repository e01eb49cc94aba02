import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose"
import { approvedApp, layer as server, serverClient } from "../../support/TestServer.ts"

layer(server())((it) => {
  describe("RFC 8414 authorization server metadata", () => {
    it.effect("lists what works, under the issuer byte for byte", () =>
      Effect.gen(function*() {
        const { ask } = yield* serverClient
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
          authorization_response_iss_parameter_supported: true,
          refresh_token_expiration_types_supported: ["authorization", "token_timeout"],
          ui_locales_supported: ["en"]
        })
        assert.strictEqual((json["scopes_supported"] as ReadonlyArray<string>).length, 46)
        for (const [name, url] of Object.entries(json)) {
          if (!name.endsWith("_endpoint") && name !== "jwks_uri") continue
          const method = /^(authorization_endpoint|userinfo_endpoint|jwks_uri)$/.test(name) ? "GET" : "POST"
          const answer = yield* ask(new URL(String(url)).pathname, { method })
          assert.notInclude([404, 405, 500], answer.status, name)
        }
      }))

    it.effect("is the same document where clients of OpenID Connect look, and claims nothing of it", () =>
      Effect.gen(function*() {
        const { ask } = yield* serverClient
        const { json, status } = yield* ask("/.well-known/openid-configuration")
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(json, (yield* ask("/.well-known/oauth-authorization-server")).json)
        for (const name of Object.keys(json)) assert.notMatch(name, /id_token|subject|claim|acr|end_session/)
        assert.notInclude(json["scopes_supported"], "openid")
      }))

    it.effect("names keys that verify the tokens (RFC 7517)", () =>
      Effect.gen(function*() {
        const { ask, tokens } = yield* approvedApp()
        const { access_token } = yield* tokens()
        const { json } = yield* ask("/.well-known/jwks.json")
        const keys = createLocalJWKSet(json as unknown as JSONWebKeySet)
        const currentDate = DateTime.toDateUtc(yield* DateTime.now)
        yield* Effect.promise(() => jwtVerify(String(access_token), keys, { currentDate }))
        assert.notInclude(JSON.stringify(json), "\"d\":")
      }))
  })

  describe("Cross-origin requests", () => {
    it.effect("are allowed where apps in a browser need them, and nowhere else", () =>
      Effect.gen(function*() {
        const { ask } = yield* serverClient
        const open = [
          "/v2/auth/oauth2/token",
          "/v2/auth/oauth2/revoke",
          "/v2/auth/oauth2/userinfo",
          "/v2/me",
          "/.well-known/openid-configuration",
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
  it.effect("has its metadata between its host and its path, after it where OpenID Connect has it, and at the root", () =>
    Effect.gen(function*() {
      const { ask } = yield* serverClient
      for (
        const path of [
          "/.well-known/oauth-authorization-server/tenant",
          "/.well-known/openid-configuration/tenant",
          "/tenant/.well-known/openid-configuration",
          "/.well-known/oauth-authorization-server",
          "/.well-known/openid-configuration"
        ]
      ) {
        assert.strictEqual((yield* ask(path)).json["issuer"], "https://slotkey.test/tenant", path)
        const refused = yield* ask(path, { method: "PUT" })
        assert.deepStrictEqual([refused.status, refused.headers.get("allow")], [405, "GET, HEAD, OPTIONS"], path)
        assert.deepInclude(refused.json["error"], { code: "method_not_allowed" })
      }
      assert.strictEqual((yield* ask("/.well-known/openid-configuration/other")).status, 404)
    }))
})
