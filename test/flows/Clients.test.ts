import { assert, describe, layer } from "@effect/vitest"
import { auth, type OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js"
import type { OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js"
import * as arctic from "arctic"
import { Effect } from "effect"
import * as oauth from "oauth4webapi"
import PassportStrategy from "passport-oauth2"
import { decide } from "../support/ConsentPage.ts"
import * as Live from "../support/LiveServer.ts"
import * as Script from "../support/Script.ts"

const redirectUri = "https://buddy.example/callback"
const insecure = { [oauth.allowInsecureRequests]: true }

const discover = (url: string) =>
  Effect.promise(async () => {
    const issuer = new URL(url)
    return oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure })
    )
  })

layer(Live.layer(), { excludeTestServices: true })("with more clients that others wrote", (it) => {
  describe("oauth4webapi", () => {
    it.effect.each([
      { kind: "confidential", how: "client_secret_basic", authentication: oauth.ClientSecretBasic },
      { kind: "confidential", how: "client_secret_post", authentication: oauth.ClientSecretPost },
      { kind: "public", how: "PKCE alone", authentication: () => oauth.None() }
    ])(
      "authorizes by $how; its checks of `iss` and of the access token hold",
      ({ authentication, kind }) =>
        Effect.gen(function*() {
          const { url } = yield* Live.LiveServer
          const { client: app, secret } = yield* Live.newApp({ kind })
          const user = yield* Live.newAccount()
          const server = yield* discover(url)
          const client = { client_id: app.id }
          const by = authentication(secret)
          const verifier = oauth.generateRandomCodeVerifier()
          const state = oauth.generateRandomState()
          const authorizationUrl = new URL(server.authorization_endpoint ?? "")
          authorizationUrl.search = new URLSearchParams({
            client_id: app.id,
            redirect_uri: redirectUri,
            response_type: "code",
            scope: "PROFILE_READ",
            state,
            code_challenge: yield* Effect.promise(() => oauth.calculatePKCECodeChallenge(verifier)),
            code_challenge_method: "S256"
          }).toString()
          const callback = oauth.validateAuthResponse(
            server,
            client,
            yield* decide(user, authorizationUrl, "allow"),
            state
          )
          const tokens = yield* Effect.promise(async () =>
            oauth.processAuthorizationCodeResponse(
              server,
              client,
              await oauth.authorizationCodeGrantRequest(server, client, by, callback, redirectUri, verifier, insecure)
            )
          )
          const claims = yield* Effect.promise(() =>
            oauth.validateJwtAccessToken(
              server,
              new Request(`${url}/v2/me`, { headers: { authorization: `Bearer ${tokens.access_token}` } }),
              url,
              insecure
            )
          )
          assert.deepInclude(claims, { sub: user.id, client_id: app.id, scope: "PROFILE_READ" })
          const refreshed = yield* Effect.promise(async () =>
            oauth.processRefreshTokenResponse(
              server,
              client,
              await oauth.refreshTokenGrantRequest(server, client, by, tokens.refresh_token ?? "", insecure)
            )
          )
          assert.strictEqual(refreshed.scope, "PROFILE_READ")
          yield* Effect.promise(async () =>
            oauth.processRevocationResponse(
              await oauth.revocationRequest(server, client, by, refreshed.refresh_token ?? "", insecure)
            )
          )
          const refused = yield* Effect.promise(async () =>
            oauth.processRefreshTokenResponse(
              server,
              client,
              await oauth.refreshTokenGrantRequest(server, client, by, refreshed.refresh_token ?? "", insecure)
            ).catch((error: unknown) => error)
          )
          assert.instanceOf(refused, oauth.ResponseBodyError)
          assert.strictEqual(refused.error, "invalid_grant")
        })
    )
  })

  describe("arctic", () => {
    it.effect.each(["confidential", "public"])(
      "exchanges, refreshes and revokes: %s",
      (kind) =>
        Effect.gen(function*() {
          const { url } = yield* Live.LiveServer
          const { client, secret } = yield* Live.newApp({ kind })
          const user = yield* Live.newAccount()
          const app = new arctic.OAuth2Client(client.id, secret === "" ? null : secret, redirectUri)
          const verifier = arctic.generateCodeVerifier()
          const callback = yield* decide(
            user,
            app.createAuthorizationURLWithPKCE(
              `${url}/auth/oauth2/authorize`,
              arctic.generateState(),
              arctic.CodeChallengeMethod.S256,
              verifier,
              ["PROFILE_READ"]
            ),
            "allow"
          )
          const endpoint = `${url}/v2/auth/oauth2/token`
          const status = yield* Effect.promise(async () => {
            const code = callback.searchParams.get("code") ?? ""
            const first = await app.validateAuthorizationCode(endpoint, code, verifier)
            const next = await app.refreshAccessToken(endpoint, first.refreshToken(), [])
            assert.deepStrictEqual([next.scopes(), next.tokenType()], [["PROFILE_READ"], "bearer"])
            assert.notStrictEqual(next.refreshToken(), first.refreshToken())
            const me = async () =>
              (await fetch(`${url}/v2/me`, { headers: { authorization: `Bearer ${next.accessToken()}` } })).status
            const before = await me()
            await app.revokeToken(`${url}/v2/auth/oauth2/revoke`, next.refreshToken())
            return [before, await me()]
          })
          assert.deepStrictEqual(status, [200, 401])
        })
    )
  })

  describe("passport-oauth2", () => {
    it.effect("signs a user in with PKCE and state, and reads the flat claims", () =>
      Effect.gen(function*() {
        const { url } = yield* Live.LiveServer
        const { client, secret } = yield* Live.newApp()
        const user = yield* Live.newAccount()
        const session: Record<string, unknown> = {}
        const strategy = new PassportStrategy({
          authorizationURL: `${url}/auth/oauth2/authorize`,
          tokenURL: `${url}/v2/auth/oauth2/token`,
          clientID: client.id,
          clientSecret: secret,
          callbackURL: redirectUri,
          scope: "PROFILE_READ",
          state: true,
          pkce: true
        }, (_access, _refresh, profile, done) => done(null, profile))
        strategy._oauth2.useAuthorizationHeaderforGET(true)
        strategy.userProfile = (token, done) =>
          strategy._oauth2.get(
            `${url}/v2/auth/oauth2/userinfo`,
            token,
            (error, body) => error ? done(error) : done(null, JSON.parse(String(body)))
          )
        const authenticate = (query: Readonly<Record<string, string>>) =>
          Effect.promise(() =>
            new Promise<unknown>((resolve, reject) => {
              Object.assign(strategy, { redirect: resolve, success: resolve, fail: reject, error: reject })
              strategy.authenticate({ query, session })
            })
          )
        const callback = yield* decide(user, String(yield* authenticate({})), "allow")
        const profile = yield* authenticate(Object.fromEntries(callback.searchParams))
        assert.propertyVal(profile, "sub", user.id)
        assert.propertyVal(profile, "email", user.email)
      }))
  })

  describe("the auth client of the Model Context Protocol SDK", () => {
    it.effect.each(["confidential", "public"])(
      "finds its way from the resource alone: %s",
      (kind) =>
        Effect.gen(function*() {
          const { url } = yield* Live.LiveServer
          const { client, secret } = yield* Live.newApp({ kind })
          const user = yield* Live.newAccount()
          const kept: { tokens?: OAuthTokens; verifier: string; location: URL } = {
            verifier: "",
            location: new URL(url)
          }
          const provider: OAuthClientProvider = {
            redirectUrl: redirectUri,
            clientMetadata: { redirect_uris: [redirectUri], scope: "PROFILE_READ" },
            clientInformation: () => ({ client_id: client.id, ...(secret === "" ? {} : { client_secret: secret }) }),
            tokens: () => kept.tokens,
            saveTokens: (tokens) => {
              kept.tokens = tokens
            },
            redirectToAuthorization: (location) => {
              kept.location = location
            },
            saveCodeVerifier: (verifier) => {
              kept.verifier = verifier
            },
            codeVerifier: () => kept.verifier
          }
          const serverUrl = `${url}/mcp`
          const scope = "PROFILE_READ"
          assert.strictEqual(yield* Effect.promise(() => auth(provider, { serverUrl, scope })), "REDIRECT")
          const callback = yield* decide(user, kept.location, "allow")
          const authorizationCode = callback.searchParams.get("code") ?? ""
          yield* Effect.promise(() => auth(provider, { serverUrl, scope, authorizationCode }))
          const first = kept.tokens
          yield* Effect.promise(() => auth(provider, { serverUrl, scope }))
          assert.notStrictEqual(kept.tokens?.refresh_token, first?.refresh_token)
          const me = yield* Effect.promise(() =>
            fetch(`${url}/v2/me`, { headers: { authorization: `Bearer ${kept.tokens?.access_token}` } })
          )
          assert.strictEqual(me.status, 200)
        })
    )
  })

  describe.skipIf(!Script.isAvailable(Script.python, "-c", "import authlib, requests_oauthlib"))("Python", () => {
    it.effect.each([
      { client: "authlib", kind: "confidential" },
      { client: "authlib", kind: "public" },
      { client: "requests_oauthlib", kind: "confidential" },
      { client: "requests_oauthlib", kind: "public" }
    ])("$client, $kind", ({ client, kind }) =>
      Effect.gen(function*() {
        const { url } = yield* Live.LiveServer
        const app = yield* Live.newApp({ kind })
        const user = yield* Live.newAccount()
        const talk = yield* Script.pythonScript(`${client}_journey`, [url, app.client.id, app.secret, redirectUri])
        yield* talk.write(JSON.stringify(yield* discover(url)))
        const callback = yield* decide(user, yield* talk.read, "allow")
        yield* talk.write(callback.href)
        assert.deepStrictEqual(JSON.parse(yield* talk.read), {
          user: user.id,
          scope: "BOOKING_READ PROFILE_READ",
          rotated: true,
          active: client === "authlib" && kind === "confidential" ? true : null,
          revoked: 401
        })
      }))
  })

  describe.skipIf(
    !Script.isAvailable("sh", "-c", "command -v go && ls /usr/share/gocode/src/github.com/coreos/go-oidc")
  )("Go", () => {
    it.effect("twenty goroutines refresh at once, with one token source and with a refresh token alone", () =>
      Effect.gen(function*() {
        const { url } = yield* Live.LiveServer
        const { client, secret } = yield* Live.newApp()
        const user = yield* Live.newAccount()
        const talk = yield* Script.start("go", [
          "run",
          "test/flows/go/token_source.go",
          url,
          client.id,
          secret,
          redirectUri
        ])
        yield* talk.write((yield* decide(user, yield* talk.read, "allow")).href)
        assert.deepStrictEqual(JSON.parse(yield* talk.rest), {
          user: user.id,
          subject: user.id,
          shared: 1,
          answers: [200, 200]
        })
      }))
  })

  describe.skipIf(!Script.isAvailable("perl", "-MLWP::Authen::OAuth2", "-e1"))("Perl", () => {
    it.effect("LWP::Authen::OAuth2 refreshes a stored token that has expired", () =>
      Effect.gen(function*() {
        const { url } = yield* Live.LiveServer
        const { client, secret } = yield* Live.newApp()
        const user = yield* Live.newAccount()
        const talk = yield* Script.start("perl", [
          "test/flows/perl/lwp_journey.pl",
          url,
          client.id,
          secret,
          redirectUri
        ])
        yield* talk.write((yield* decide(user, yield* talk.read, "allow")).href)
        assert.deepStrictEqual(JSON.parse(yield* talk.rest), {
          user: user.id,
          scope: "PROFILE_READ",
          rotated: true,
          again: 200
        })
      }))
  })
})
