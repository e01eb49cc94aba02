import { assert, describe, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { type JWTPayload, SignJWT, UnsecuredJWT } from "jose"
import { parse } from "node-html-parser"
import type { ServerResponse } from "node:http"
import { challenge, redirectUri } from "../../../core/tokens/Fixture.ts"
import { eventually } from "../../../support/Eventually.ts"
import type { OidcProvider } from "../../../support/OidcProvider.ts"
import { approvedApp } from "../../../support/TestServer.ts"
import { type Answer, browser, Platform, Server } from "./Scenario.ts"

const session = "__Host-slotkey"
const metadata = "/.well-known/openid-configuration"

const json = (response: ServerResponse, body: unknown, status = 200) =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))

/** Asserts a page that explains why nobody was signed in, and leads on. */
const assertFailed = ({ status, text }: Answer, jar: ReadonlyMap<string, string>, expected: number, title: string) => {
  assert.deepStrictEqual([status, /<h1>(.*?)<\/h1>/.exec(text)?.[1]], [expected, title])
  assert.match(text, /<a href="\/sign-in[^"]*" class="button">(Sign in|Try again)<\/a>/)
  assert.isFalse(jar.has(session))
}

/** Cookies of sign-ins that have begun. */
const pendingIn = (jar: ReadonlyMap<string, string>) =>
  [...jar].filter(([name]) => name.startsWith("__Host-slotkey-oidc"))

const seconds = () => Math.floor(Date.now() / 1000)

/** An answer of the provider's token endpoint, with an ID token of these claims. */
type Forgery = (platform: OidcProvider, nonce: string) => Promise<string>

const claims = (nonce: string): JWTPayload => ({ sub: "admin", nonce })
const secret = Buffer.from("the secret of slotkey at its provider")

const big = Buffer.alloc(10 * 1024 * 1024, " ")

/** Troubles of a provider at any of its addresses. */
const troubles: ReadonlyArray<readonly [what: string, answer: (response: ServerResponse, url: string) => void]> = [
  ["an error", (response) => void response.writeHead(500).end()],
  ["a page", (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>We are busy")],
  ["a redirect to itself", (response, url) => void response.writeHead(307, { location: url }).end()],
  ["10 MB", (response) => void response.writeHead(200, { "content-type": "application/json" }).end(big)],
  ["nothing", (response) => void response.destroy()]
]

layer(Server)("Sign-in at an OpenID Connect provider", (it) => {
  describe("a user", () => {
    it.effect("signs in there, comes back, and is known by what it says", () =>
      Effect.gen(function*() {
        const platform = yield* Platform
        const { authenticate, begin, jar, send } = yield* browser
        const authorization = yield* begin("/account?x=1")
        const { code_challenge, nonce, state, ...parameters } = Object.fromEntries(authorization.searchParams)
        assert.deepStrictEqual(parameters, {
          client_id: "slotkey",
          response_type: "code",
          redirect_uri: "https://slotkey.test/sign-in/oidc/callback",
          scope: "openid profile email",
          code_challenge_method: "S256"
        })
        for (const secret of [code_challenge, nonce, state]) assert.match(secret ?? "", /^[\w-]{43}$/)
        // The cookie tells nobody what the answer has to fit.
        const [cookie] = pendingIn(jar)
        assert.notInclude(Buffer.from(cookie?.[1] ?? "", "base64url").toString(), String(state))

        const answer = yield* send(yield* authenticate(authorization))
        assert.deepStrictEqual([answer.status, answer.location?.pathname], [303, "/account"])
        const { text } = yield* send("/account")
        assert.include(text, "Uma User")
        assert.include(text, "uma@platform.example")

        platform.user = { ...platform.user, name: "Uma Married" }
        const again = yield* browser
        yield* again.signIn()
        assert.include((yield* again.send("/account")).text, "Uma Married")
      }))

    it.effect("is asked as the app wants it, but never silently", () =>
      Effect.gen(function*() {
        const { client } = yield* approvedApp()
        const { begin } = yield* browser
        const asked = Effect.fnUntraced(function*(wishes: Record<string, string>) {
          const request = {
            client_id: client.id,
            redirect_uri: redirectUri,
            scope: "PROFILE_READ",
            code_challenge: challenge,
            ...wishes
          }
          const { searchParams } = yield* begin(`/auth/oauth2/authorize?${new URLSearchParams(request)}`)
          return ["prompt", "login_hint", "ui_locales"].map((name) => searchParams.get(name))
        })
        const all = { prompt: "login", login_hint: "uma@platform.example", ui_locales: "fr-CA en" }
        assert.deepStrictEqual(yield* asked(all), ["login", "uma@platform.example", "fr-CA en"])
        assert.deepStrictEqual(yield* asked({ prompt: "consent select_account" }), ["select_account", null, null])
        assert.deepStrictEqual(yield* asked({ prompt: "none" }), [null, null, null])
        assert.deepStrictEqual(yield* asked({}), [null, null, null])
      }))

    it.effect("may choose another account on the way to an app, as well as the provider lets them", () =>
      Effect.gen(function*() {
        const platform = yield* Platform
        const { client } = yield* approvedApp()
        const { authenticate, send, signIn } = yield* browser
        const request = {
          client_id: client.id,
          redirect_uri: redirectUri,
          scope: "PROFILE_READ",
          code_challenge: challenge,
          login_hint: "uma@platform.example"
        }
        const path = `/auth/oauth2/authorize?${new URLSearchParams(request)}`
        yield* signIn(path)
        const consent = parse((yield* send(path)).text)
        const fieldOf = (name: string) =>
          consent.querySelector(`form#switch-account [name=${name}]`)?.getAttribute("value") ?? ""
        const body = new URLSearchParams({ csrf: fieldOf("csrf"), return_to: fieldOf("return_to") })
        const none = new URL("about:blank")
        const { location: choice = none } = yield* send("/auth/oauth2/switch-account", { method: "POST", body })
        const asked = ({ searchParams }: URL) =>
          ["prompt", "max_age", "login_hint"].map((name) => searchParams.get(name))

        platform.user = { sub: "u-2", name: "Ugo User" }
        const { location: authorization = none } = yield* send(choice)
        assert.deepStrictEqual(asked(authorization), ["select_account", null, null])
        // This provider knows no such prompt, and does not say so in its metadata.
        const { location: again = none } = yield* send(yield* authenticate(authorization))
        assert.deepStrictEqual(asked(again), ["login", "0", null])
        yield* send(yield* authenticate(again))
        assert.include((yield* send(path)).text, "Ugo User")

        const known = yield* Effect.promise(async () => (await fetch(`${platform.issuer}${metadata}`)).json())
        platform.faults.set(
          metadata,
          (_, response) => json(response, { ...known, prompt_values_supported: ["none", "login"] })
        )
        yield* TestClock.adjust("1 minute")
        const other = yield* browser
        const { location: instead = none } = yield* other.send(choice)
        assert.deepStrictEqual(asked(instead), ["login", "0", null])
        platform.faults.clear()
        yield* TestClock.adjust("1 minute")
      }))

    it.effect("signs in after the provider has replaced its key", () =>
      Effect.gen(function*() {
        const platform = yield* Platform
        const { jar, signIn } = yield* browser
        yield* signIn()
        jar.clear()
        yield* platform.rotateKey
        assert.strictEqual((yield* signIn()).status, 303)
      }))

    it.effect("may have begun twice, in two tabs", () =>
      Effect.gen(function*() {
        const { authenticate, begin, send } = yield* browser
        const [first, second] = [yield* begin("/account?tab=1"), yield* begin("/account?tab=2")]
        for (const tab of [second, first]) {
          assert.strictEqual((yield* send(yield* authenticate(tab))).status, 303)
        }
      }))

    it.effect("may begin in several tabs at once, as a browser does that opens them all again", () =>
      Effect.gen(function*() {
        const { authenticate, begin, jar, send } = yield* browser
        const before = new Map(jar)
        const tabs: Array<readonly [path: string, authorization: URL, given: ReadonlyMap<string, string>]> = []
        for (const path of ["/account?tab=1", "/account?tab=2", "/account?tab=3"]) {
          // None of the requests has a cookie of another one's answer.
          jar.clear()
          for (const [name, value] of before) jar.set(name, value)
          tabs.push([path, yield* begin(path), new Map(jar)])
        }
        for (const [, , given] of tabs) for (const [name, value] of given) jar.set(name, value)
        for (const [path, authorization] of tabs) {
          const { location, status } = yield* send(yield* authenticate(authorization))
          assert.deepStrictEqual([status, location?.pathname, location?.search], [303, ...path.split(/(?=\?)/)])
        }
      }))

    it.effect("begins as often as a browser can remember", () =>
      Effect.gen(function*() {
        const { begin, jar } = yield* browser
        for (let tab = 0; tab < 20; tab++) yield* begin(`/account?tab=${tab}&${"x".repeat(400)}`)
        const header = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
        assert.isBelow(header.length, 4_000)
        assert.isAbove(jar.size, 2)
      }))

    it.effect("goes on where the sign-in led to when the answer is loaded again", () =>
      Effect.gen(function*() {
        const platform = yield* Platform
        const { authenticate, begin, jar, send } = yield* browser
        const answer = yield* authenticate(yield* begin("/account?x=1"))
        yield* send(answer)
        platform.asked.length = 0
        const again = yield* send(answer)
        assert.deepStrictEqual([again.status, again.location?.pathname, again.location?.search], [
          303,
          "/account",
          "?x=1"
        ])
        for (const name of jar.keys()) if (name !== session) jar.delete(name)
        const late = yield* send(answer)
        assert.deepStrictEqual([late.status, late.location?.pathname], [303, "/"])
        assert.deepStrictEqual(platform.asked, [])
      }))
  })

  describe("an answer", () => {
    it.effect.each<readonly [what: string, forge: Forgery]>([
      ["is of another issuer", ({ sign }, nonce) => sign({ ...claims(nonce), iss: "https://evil.example" })],
      ["has another nonce", ({ sign }) => sign(claims("another"))],
      ["has no nonce", ({ sign }) => sign({ sub: "admin" })],
      ["is for another audience", ({ sign }, nonce) => sign({ ...claims(nonce), aud: "another" })],
      ["is for others, too", ({ sign }, nonce) => sign({ ...claims(nonce), aud: ["slotkey", "another"] })],
      ["has expired", ({ sign }, nonce) => sign({ ...claims(nonce), iat: seconds() - 600, exp: seconds() - 60 })],
      ["names nobody", ({ sign }, nonce) => sign({ nonce })],
      [
        "is not signed",
        async ({ issuer }, nonce) =>
          new UnsecuredJWT(claims(nonce)).setIssuer(issuer).setAudience("slotkey").setIssuedAt().setExpirationTime("1m")
            .encode()
      ],
      [
        "is signed with the client's secret",
        ({ issuer }, nonce) =>
          new SignJWT(claims(nonce)).setProtectedHeader({ alg: "HS256" }).setIssuer(issuer).setAudience("slotkey")
            .setIssuedAt().setExpirationTime("1m").sign(secret)
      ],
      ["is signed with a key that is not the provider's", ({ sign }, nonce) => sign(claims(nonce), { kid: "another" })],
      ["has been changed", async ({ sign }, nonce) => {
        const [head, , signature] = (await sign(claims(nonce))).split(".")
        const [, body] = (await sign({ ...claims(nonce), sub: "another" })).split(".")
        return [head, body, signature].join(".")
      }],
      ["is no token", async () => "hello"]
    ])("signs nobody in if its ID token %s", ([, forge]) =>
      Effect.gen(function*() {
        const platform = yield* Platform
        const { authenticate, begin, jar, send } = yield* browser
        const authorization = yield* begin()
        const answer = yield* authenticate(authorization)
        const token = yield* Effect.promise(() => forge(platform, authorization.searchParams.get("nonce") ?? ""))
        platform.faults.set("/token", (_, response) =>
          json(response, { access_token: "a", token_type: "Bearer", expires_in: 60, id_token: token }))
        assertFailed(yield* send(answer), jar, 400, "Sign-in not accepted")
        platform.faults.clear()
      }))

    it.effect("signs nobody in if UserInfo is about somebody else", () =>
      Effect.gen(function*() {
        const platform = yield* Platform
        const { jar, signIn } = yield* browser
        platform.faults.set("/me", (_, response) => json(response, { sub: "admin" }))
        assertFailed(yield* signIn(), jar, 400, "Sign-in not accepted")
        platform.faults.clear()
      }))

    it.effect("signs nobody in whose sub is longer than OpenID Connect lets it be", () =>
      Effect.gen(function*() {
        const platform = yield* Platform
        const usual = platform.user
        for (const [length, path] of [[255, "/account"], [256, undefined]] as const) {
          platform.user = { ...usual, sub: "x".repeat(length) }
          const { jar, signIn } = yield* browser
          const answer = yield* signIn("/account")
          if (path === undefined) assertFailed(answer, jar, 400, "Sign-in not accepted")
          else assert.strictEqual(answer.location?.pathname, path)
        }
        platform.user = usual
      }))

    it.effect("counts once", () =>
      Effect.gen(function*() {
        const { authenticate, begin, jar, send } = yield* browser
        const answer = yield* authenticate(yield* begin())
        yield* send(answer)
        jar.delete(session)
        assertFailed(yield* send(answer), jar, 400, "Sign-in not accepted")
      }))

    it.effect("counts in the browser that has begun, for half an hour", () =>
      Effect.gen(function*() {
        const platform = yield* Platform
        const victim = yield* browser
        const attacker = yield* browser
        yield* victim.begin()
        const answer = yield* attacker.authenticate(yield* attacker.begin())
        platform.asked.length = 0
        assertFailed(yield* victim.send(answer), victim.jar, 400, "Sign-in not accepted")
        for (const [name] of pendingIn(victim.jar)) victim.jar.set(name, "not sealed here")
        assertFailed(yield* victim.send(answer), victim.jar, 400, "Sign-in not accepted")
        yield* TestClock.adjust("30 minutes")
        assertFailed(yield* attacker.send(answer), attacker.jar, 400, "Sign-in not accepted")
        assert.deepStrictEqual(platform.asked, [])
      }))

    it.effect.each<readonly [what: string, change: (parameters: URLSearchParams) => void]>([
      ["names another issuer", (parameters) => parameters.set("iss", "https://evil.example")],
      ["names no issuer", (parameters) => parameters.delete("iss")],
      ["has no state", (parameters) => parameters.delete("state")],
      ["has two codes", (parameters) => parameters.append("code", "another")],
      ["has a code of another", (parameters) => parameters.set("code", "another")]
    ])("signs nobody in if it %s", ([, change]) =>
      Effect.gen(function*() {
        const { authenticate, begin, jar, send } = yield* browser
        const answer = yield* authenticate(yield* begin())
        change(answer.searchParams)
        assertFailed(yield* send(answer), jar, 400, "Sign-in not accepted")
      }))

    it.effect.each([
      { error: "access_denied", status: 403, title: "Not signed in", says: "did not let you in" },
      { error: "interaction_required", status: 403, title: "Not signed in", says: "interaction_required" },
      { error: "<script>", status: 403, title: "Not signed in", says: "no valid error code" },
      { error: "temporarily_unavailable", status: 503, title: "Sign-in is not available", says: "Try again" },
      { error: "server_error", status: 503, title: "Sign-in is not available", says: "Try again" }
    ])("that is the error $error is a page", ({ error, says, status, title }) =>
      Effect.gen(function*() {
        const { issuer } = yield* Platform
        const { begin, jar, send } = yield* browser
        const state = (yield* begin("/account?x=1")).searchParams.get("state") ?? ""
        const answer = yield* send(`/sign-in/oidc/callback?${new URLSearchParams({ state, error, iss: issuer })}`)
        assertFailed(answer, jar, status, title)
        assert.include(answer.text, says)
        assert.include(answer.text, "href=\"/sign-in?return_to=%2Faccount%3Fx%3D1\"")
        assert.notInclude(answer.text, "<script>")
      }))
  })

  describe("a provider in trouble", () => {
    it.effect.each(troubles)(
      "whose answer is %s gets a page that says so, and later another try",
      ([, answer]) =>
        Effect.gen(function*() {
          const platform = yield* Platform
          for (const path of [metadata, "/token", "/jwks", "/me"]) {
            const { authenticate, begin, jar, send, signIn } = yield* browser
            const returned = path === metadata ? undefined : yield* authenticate(yield* begin())
            platform.asked.length = 0
            yield* TestClock.adjust("1 minute")
            platform.faults.set(path, (request, response) => answer(response, `${platform.issuer}${request.url}`))
            assertFailed(yield* send(returned ?? "/sign-in"), jar, 503, "Sign-in is not available")
            assert.strictEqual(platform.asked.filter((asked) => asked === path).length, 1)
            platform.faults.clear()
            yield* TestClock.adjust("1 second")
            assert.strictEqual((yield* signIn()).status, 303)
          }
        })
    )

    it.effect("that takes a minute is waited for five seconds", () =>
      Effect.gen(function*() {
        const platform = yield* Platform
        for (const path of [metadata, "/token"]) {
          const { authenticate, begin, jar, send } = yield* browser
          const returned = path === metadata ? "/sign-in" : yield* authenticate(yield* begin())
          platform.asked.length = 0
          yield* TestClock.adjust("1 minute")
          platform.faults.set(path, () => {})
          const answer = yield* Effect.forkChild(send(returned))
          yield* TestClock.withLive(eventually(Effect.sync(() => platform.asked.includes(path))))
          yield* TestClock.adjust("5 seconds")
          assertFailed(yield* Fiber.join(answer), jar, 503, "Sign-in is not available")
          platform.faults.clear()
          yield* TestClock.adjust("1 second")
        }
      }))

    it.effect("whose metadata are another's is not trusted", () =>
      Effect.gen(function*() {
        const platform = yield* Platform
        const { jar, send } = yield* browser
        yield* TestClock.adjust("1 minute")
        platform.faults.set(metadata, (_, response) =>
          json(response, { issuer: "https://evil.example", authorization_endpoint: "https://evil.example/auth" }))
        assertFailed(yield* send("/sign-in"), jar, 503, "Sign-in is not available")
        platform.faults.clear()
        yield* TestClock.adjust("1 second")
      }))

    it.effect("keeps nobody from what is signed in or connected", () =>
      Effect.gen(function*() {
        const platform = yield* Platform
        const { me, refresh, tokens } = yield* approvedApp()
        const { send, signIn } = yield* browser
        yield* signIn()
        const { access_token, refresh_token } = yield* tokens()
        platform.faults.set(metadata, (_, response) => void response.destroy())
        assert.strictEqual((yield* send("/account")).status, 200)
        assert.strictEqual((yield* me(access_token)).status, 200)
        assert.strictEqual((yield* refresh(refresh_token)).status, 200)
        platform.faults.clear()
      }))
  })
})
