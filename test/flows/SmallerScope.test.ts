import { assert, describe, layer } from "@effect/vitest"
import * as arctic from "arctic"
import { Cause, Effect } from "effect"
import * as oauth from "oauth4webapi"
import * as oidc from "openid-client"
import { AuthorizationCode } from "simple-oauth2"
import { decide } from "../support/ConsentPage.ts"
import * as Live from "../support/LiveServer.ts"
import * as Script from "../support/Script.ts"

// Libraries whose users give an app less than it asked for (RFC 6749 §3.3). docs/clients.md says what each needs.

const redirectUri = "https://buddy.example/callback"
const scopes = ["BOOKING_READ", "PROFILE_READ"]
const insecure = { [oauth.allowInsecureRequests]: true }

layer(Live.layer(), { excludeTestServices: true })("where a user declines an optional scope", (it) => {
  /** An app whose users may decline one scope, and a user who does. */
  const scene = Effect.gen(function*() {
    const { url } = yield* Live.LiveServer
    const { client, secret } = yield* Live.newApp({ scopes, optionalScopes: ["BOOKING_READ"] })
    const user = yield* Live.newAccount()
    const consent = (request: string | URL) => decide(user, request, "allow", ["BOOKING_READ"])
    return { url, client, secret, user, consent }
  })

  it.effect("openid-client exchanges and refreshes", () =>
    Effect.gen(function*() {
      const { client, consent, secret, url } = yield* scene
      const config = yield* Effect.promise(() =>
        oidc.discovery(new URL(url), client.id, secret, undefined, {
          algorithm: "oauth2",
          execute: [oidc.allowInsecureRequests]
        })
      )
      const verifier = oidc.randomPKCECodeVerifier()
      const callback = yield* consent(oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: scopes.join(" "),
        code_challenge: yield* Effect.promise(() => oidc.calculatePKCECodeChallenge(verifier)),
        code_challenge_method: "S256"
      }))
      const first = yield* Effect.promise(() =>
        oidc.authorizationCodeGrant(config, callback, { pkceCodeVerifier: verifier })
      )
      const next = yield* Effect.promise(() => oidc.refreshTokenGrant(config, first.refresh_token ?? ""))
      assert.deepStrictEqual([first.scope, next.scope], ["PROFILE_READ", "PROFILE_READ"])
    }))

  it.effect("oauth4webapi exchanges and refreshes", () =>
    Effect.gen(function*() {
      const { client: app, consent, secret, url } = yield* scene
      const issuer = new URL(url)
      const server = yield* Effect.promise(async () =>
        oauth.processDiscoveryResponse(
          issuer,
          await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure })
        )
      )
      const client = { client_id: app.id }
      const request = new URL(server.authorization_endpoint ?? "")
      const verifier = oauth.generateRandomCodeVerifier()
      request.search = new URLSearchParams({
        client_id: app.id,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: scopes.join(" "),
        code_challenge: yield* Effect.promise(() => oauth.calculatePKCECodeChallenge(verifier)),
        code_challenge_method: "S256"
      }).toString()
      const callback = oauth.validateAuthResponse(server, client, yield* consent(request), oauth.expectNoState)
      const by = oauth.ClientSecretBasic(secret)
      const tokens = yield* Effect.promise(async () =>
        oauth.processAuthorizationCodeResponse(
          server,
          client,
          await oauth.authorizationCodeGrantRequest(server, client, by, callback, redirectUri, verifier, insecure)
        )
      )
      const next = yield* Effect.promise(async () =>
        oauth.processRefreshTokenResponse(
          server,
          client,
          await oauth.refreshTokenGrantRequest(server, client, by, tokens.refresh_token ?? "", insecure)
        )
      )
      assert.deepStrictEqual([tokens.scope, next.scope], ["PROFILE_READ", "PROFILE_READ"])
    }))

  it.effect("arctic exchanges and refreshes", () =>
    Effect.gen(function*() {
      const { client, consent, secret, url } = yield* scene
      const app = new arctic.OAuth2Client(client.id, secret, redirectUri)
      const callback = yield* consent(app.createAuthorizationURL(`${url}/auth/oauth2/authorize`, "state", scopes))
      const endpoint = `${url}/v2/auth/oauth2/token`
      const given = yield* Effect.promise(async () => {
        const first = await app.validateAuthorizationCode(endpoint, callback.searchParams.get("code") ?? "", null)
        const next = await app.refreshAccessToken(endpoint, first.refreshToken(), [])
        return [first.scopes(), next.scopes()]
      })
      assert.deepStrictEqual(given, [["PROFILE_READ"], ["PROFILE_READ"]])
    }))

  it.effect("simple-oauth2 exchanges and refreshes", () =>
    Effect.gen(function*() {
      const { client, consent, secret, url } = yield* scene
      const app = new AuthorizationCode({
        client: { id: client.id, secret },
        auth: { tokenHost: url, tokenPath: "/v2/auth/oauth2/token", authorizePath: "/auth/oauth2/authorize" }
      })
      const callback = yield* consent(app.authorizeURL({ redirect_uri: redirectUri, scope: scopes.join(" ") }))
      const given = yield* Effect.promise(async () => {
        const first = await app.getToken({
          code: callback.searchParams.get("code") ?? "",
          redirect_uri: redirectUri
        })
        return [first.token["scope"], (await first.refresh()).token["scope"]]
      })
      assert.deepStrictEqual(given, ["PROFILE_READ", "PROFILE_READ"])
    }))

  describe.skipIf(!Script.isAvailable(Script.python, "-c", "import authlib, requests_oauthlib"))("Python", () => {
    const journey = Effect.fnUntraced(function*(library: string, env: Readonly<Record<string, string>> = {}) {
      const { client, consent, secret, url } = yield* scene
      const talk = yield* Script.pythonScript(`${library}_journey`, [url, client.id, secret, redirectUri], env)
      const metadata = yield* Effect.promise(async () =>
        (await fetch(`${url}/.well-known/oauth-authorization-server`)).text()
      )
      yield* talk.write(metadata)
      const callback = yield* consent(yield* talk.read)
      yield* talk.write(callback.href)
      return yield* talk.read
    })

    it.effect("requests_oauthlib does with OAUTHLIB_RELAX_TOKEN_SCOPE, and fails without", () =>
      Effect.gen(function*() {
        const answer = yield* journey("requests_oauthlib", { OAUTHLIB_RELAX_TOKEN_SCOPE: "1" })
        assert.deepInclude(JSON.parse(answer), { scope: "PROFILE_READ", rotated: true, revoked: 401 })
        const failure = yield* Effect.flip(Effect.sandbox(journey("requests_oauthlib")))
        assert.include(Cause.pretty(failure), "Scope has changed")
      }))

    it.effect("authlib exchanges and refreshes", () =>
      Effect.gen(function*() {
        const answer = yield* journey("authlib")
        assert.deepInclude(JSON.parse(answer), { scope: "PROFILE_READ", rotated: true, revoked: 401 })
      }))
  })
})
