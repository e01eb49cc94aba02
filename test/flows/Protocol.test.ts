import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as oidc from "openid-client"
import { AuthorizationCode } from "simple-oauth2"
import { decide } from "../support/ConsentPage.ts"
import * as Live from "../support/LiveServer.ts"

const redirectUri = "https://buddy.example/callback"

const discover = (url: string, clientId: string, secret: string, authentication?: oidc.ClientAuth) =>
  oidc.discovery(new URL(url), clientId, secret === "" ? undefined : secret, authentication, {
    execute: [oidc.allowInsecureRequests]
  })

const me = (url: string, token: string) =>
  Effect.promise(async () => {
    const response = await fetch(`${url}/v2/me`, { headers: { authorization: `Bearer ${token}` } })
    const body = (await response.json()) as { readonly data?: Record<string, unknown> }
    return { status: response.status, challenge: response.headers.get("www-authenticate") ?? "", data: body.data }
  })

layer(Live.layer(), { excludeTestServices: true })("with clients that others wrote", (it) => {
  describe("openid-client", () => {
    it.effect.each([
      { how: "client_secret_basic", authentication: oidc.ClientSecretBasic(), pkce: true },
      { how: "client_secret_post", authentication: oidc.ClientSecretPost(), pkce: false }
    ])(
      "authorizes, exchanges, calls and refreshes by $how, PKCE: $pkce",
      ({ authentication, pkce }) =>
        Effect.gen(function*() {
          const { url } = yield* Live.LiveServer
          const { client, secret } = yield* Live.newApp()
          const user = yield* Live.newAccount()
          const config = yield* Effect.promise(() => discover(url, client.id, secret, authentication))
          const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
          const challenge = yield* Effect.promise(() => oidc.calculatePKCECodeChallenge(pkceCodeVerifier))
          const state = oidc.randomState()
          const callback = yield* decide(
            user,
            oidc.buildAuthorizationUrl(config, {
              redirect_uri: redirectUri,
              scope: "BOOKING_READ,PROFILE_READ",
              state,
              ...(pkce ? { code_challenge: challenge, code_challenge_method: "S256" } : {})
            }),
            "allow"
          )
          // The client checks `state` and, because the metadata announces it, `iss` (RFC 9207).
          const tokens = yield* Effect.promise(() =>
            oidc.authorizationCodeGrant(config, callback, {
              expectedState: state,
              ...(pkce ? { pkceCodeVerifier } : {})
            })
          )
          assert.strictEqual(tokens.scope, "BOOKING_READ PROFILE_READ")
          assert.strictEqual(tokens.expires_in, 1800)
          assert.strictEqual(tokens.token_type, "bearer")

          const first = yield* me(url, tokens.access_token)
          assert.strictEqual(first.status, 200)
          assert.deepInclude(first.data, { id: user.id, email: user.email, organizationId: null })

          const refreshed = yield* Effect.promise(() => oidc.refreshTokenGrant(config, tokens.refresh_token!))
          assert.strictEqual(refreshed.scope, tokens.scope)
          assert.notStrictEqual(refreshed.refresh_token, tokens.refresh_token)
          assert.strictEqual((yield* me(url, refreshed.access_token)).status, 200)

          const introspected = yield* Effect.promise(() => oidc.tokenIntrospection(config, refreshed.access_token))
          assert.strictEqual(introspected.active, true)
          yield* Effect.promise(() => oidc.tokenRevocation(config, refreshed.refresh_token!))
          const revoked = yield* me(url, refreshed.access_token)
          assert.strictEqual(revoked.status, 401)
          assert.include(revoked.challenge, "invalid_token")
        })
    )

    it.effect("lets a public client do without a secret, by PKCE", () =>
      Effect.gen(function*() {
        const { url } = yield* Live.LiveServer
        const redirect_uri = "com.example.buddy:/callback"
        const { client } = yield* Live.newApp({ kind: "public", redirectUris: [redirect_uri] })
        const config = yield* Effect.promise(() => discover(url, client.id, "", oidc.None()))
        const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
        const code_challenge = yield* Effect.promise(() => oidc.calculatePKCECodeChallenge(pkceCodeVerifier))
        const authorizationUrl = oidc.buildAuthorizationUrl(config, {
          redirect_uri,
          scope: "PROFILE_READ",
          code_challenge,
          code_challenge_method: "S256"
        })
        const callback = yield* decide(yield* Live.newAccount(), authorizationUrl, "allow")
        assert.strictEqual(callback.protocol, "com.example.buddy:")
        const tokens = yield* Effect.promise(() =>
          oidc.authorizationCodeGrant(config, callback, { pkceCodeVerifier }, { redirect_uri })
        )
        const refreshed = yield* Effect.promise(() => oidc.refreshTokenGrant(config, tokens.refresh_token!))
        assert.strictEqual((yield* me(url, refreshed.access_token)).status, 200)
      }))

    it.effect("is told when the user says no", () =>
      Effect.gen(function*() {
        const { url } = yield* Live.LiveServer
        const { client, secret } = yield* Live.newApp()
        const config = yield* Effect.promise(() => discover(url, client.id, secret))
        const authorizationUrl = oidc.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: "PROFILE_READ"
        })
        const callback = yield* decide(yield* Live.newAccount(), authorizationUrl, "deny")
        const error = yield* Effect.promise(() =>
          oidc.authorizationCodeGrant(config, callback).then(() => undefined, (error: unknown) => error)
        )
        assert.instanceOf(error, oidc.AuthorizationResponseError)
        assert.strictEqual(error.error, "access_denied")
      }))
  })

  describe("simple-oauth2", () => {
    it.effect.each(
      [
        { body: "json", authorization: "body" },
        { body: "form", authorization: "header" }
      ] as const
    )(
      "exchanges and refreshes with a $body body, the secret in the $authorization",
      (options) =>
        Effect.gen(function*() {
          const { url } = yield* Live.LiveServer
          const { client, secret } = yield* Live.newApp()
          const oauth = new AuthorizationCode({
            client: { id: client.id, secret },
            auth: {
              tokenHost: url,
              tokenPath: "/v2/auth/oauth2/token",
              authorizePath: "/auth/oauth2/authorize"
            },
            options: { bodyFormat: options.body, authorizationMethod: options.authorization }
          })
          const authorizationUrl = oauth.authorizeURL({
            redirect_uri: redirectUri,
            scope: ["PROFILE_READ"],
            state: "s"
          })
          const callback = yield* decide(yield* Live.newAccount(), authorizationUrl, "allow")
          const code = callback.searchParams.get("code")!
          const token = yield* Effect.promise(() => oauth.getToken({ code, redirect_uri: redirectUri }))
          const refreshed = yield* Effect.promise(() => token.refresh())
          assert.strictEqual((yield* me(url, String(refreshed.token["access_token"]))).status, 200)
        })
    )
  })

  it.effect("a token reaches what its scopes cover, and never the management API", () =>
    Effect.gen(function*() {
      const { url } = yield* Live.LiveServer
      const { client, secret } = yield* Live.newApp()
      const config = yield* Effect.promise(() => discover(url, client.id, secret))
      const authorizationUrl = oidc.buildAuthorizationUrl(config, { redirect_uri: redirectUri, scope: "BOOKING_READ" })
      const callback = yield* decide(yield* Live.newAccount(), authorizationUrl, "allow")
      const tokens = yield* Effect.promise(() => oidc.authorizationCodeGrant(config, callback))

      const refused = yield* me(url, tokens.access_token)
      assert.strictEqual(refused.status, 403)
      assert.include(refused.challenge, "error=\"insufficient_scope\"")
      assert.match(refused.challenge, /scope="[^"]*\bPROFILE_READ\b/)

      const management = yield* Effect.promise(() =>
        fetch(`${url}/v2/oauth-clients`, { headers: { authorization: `Bearer ${tokens.access_token}` } })
      )
      assert.strictEqual(management.status, 401)
    }))
})
