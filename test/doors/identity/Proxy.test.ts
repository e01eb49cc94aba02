// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose"
import { parse } from "node-html-parser"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Routes } from "../../../src/app/Routes.ts"
import { LinkedAccounts } from "../../../src/core/accounts/linked/LinkedAccounts.ts"
import { ApiKeys } from "../../../src/core/accounts/people/ApiKeys.ts"
import { UserId } from "../../../src/domain/Ids.ts"
import * as Testing from "../../../src/testing.ts"
import { LogLines } from "../../support/LogLines.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { browse } from "../account/Scenario.ts"

const issuer = "https://proxy.test"
const audience = "slotkey"

/** Proxy's keys, at an address that answers as `answer` does. */
const startKeys = Effect.gen(function*() {
  const { privateKey, publicKey } = yield* Effect.promise(() => generateKeyPair("ES256"))
  const jwk = { ...(yield* Effect.promise(() => exportJWK(publicKey))), kid: "1", alg: "ES256" }
  const healthy = (response: ServerResponse) => response.end(JSON.stringify({ keys: [jwk] }))
  const proxy = { privateKey, healthy, answer: healthy, url: "" }
  const server = createServer((_, response) => void proxy.answer(response))
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))),
    () => Effect.sync(() => server.close())
  )
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
  return proxy
})

type Proxy = Effect.Success<typeof startKeys>

/** Server behind the proxy. */
const behind = ({ url }: Proxy, env: Readonly<Record<string, string>> = {}) =>
  Testing.layer({
    SIGN_IN: "proxy",
    PROXY_HEADER: "X-Assertion",
    PROXY_JWKS_URL: url,
    PROXY_ISSUER: issuer,
    PROXY_AUDIENCE: audience,
    ADMINISTRATOR_CLAIM: "groups=boss",
    ...env
  })

// The clock of the tests stands at zero.
const claimsOf = (subject: string, more: JWTPayload = {}): JWTPayload => ({
  iss: issuer,
  aud: audience,
  sub: subject,
  exp: 300,
  name: `User ${subject}`,
  email: "boss@slotkey.test",
  email_verified: true,
  ...more
})

const assertion = (proxy: Proxy, claims: JWTPayload) =>
  Effect.promise(() => new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "1" }).sign(proxy.privateKey))

const browser = browse(Routes)

layer(Layer.merge(HttpServer.layerServices, TestDatabase.layer))("Behind a proxy that asserts the user", (it) => {
  it.effect("who comes is signed in as the user of the assertion, and as nobody else", () =>
    Effect.gen(function*() {
      const proxy = yield* startKeys
      yield* Effect.gen(function*() {
        const { csrf, post, send } = yield* browser
        const as = (claims: JWTPayload) => Effect.map(assertion(proxy, claims), (jwt) => ({ "x-assertion": jwt }))
        const ann = yield* as(claimsOf("ann"))
        const bob = yield* as(claimsOf("bob", { groups: ["boss"] }))
        const open = (path: string, headers: Record<string, string>) => send(path, { headers })

        const first = yield* open("/account", ann)
        assert.strictEqual(first.status, 303)
        assert.strictEqual((yield* open(first.headers.get("location") ?? "", ann)).status, 303)
        const account = yield* open("/account", ann)
        assert.include(account.text, "Your profile and your password are kept by the platform.")
        assert.include(account.text, "boss@slotkey.test")
        assert.strictEqual((yield* open("/review", ann)).status, 403)

        // Another account is for the platform to choose.
        const another = yield* (yield* browser).send("/sign-in?return_to=%2Fconnections&another=1", { headers: ann })
        assert.deepStrictEqual([another.status, another.text.includes("User ann")], [200, true])
        assert.include(another.text, "href=\"/sign-in?return_to=%2Fconnections\"")

        // Same browser, as the proxy sees it: another user, then nobody.
        assert.strictEqual((yield* open("/account", bob)).status, 303)
        assert.strictEqual((yield* open("/account", {})).status, 303)
        assert.strictEqual((yield* open("/sign-in", {})).status, 403)
        assert.strictEqual((yield* open("/account", ann)).status, 200)
        yield* open("/sign-in?return_to=/review", bob)
        assert.strictEqual((yield* open("/review", bob)).status, 200)

        assert.strictEqual((yield* post("/sign-in", { email: "boss@slotkey.test", password: "x" })).status, 403)
        assert.strictEqual((yield* open("/setup?token=x", {})).status, 404)
        const token = /name="csrf" value="([^"]+)"/.exec((yield* open("/account", bob)).text)?.[1] ?? ""
        const out = yield* post("/sign-out", { csrf: token }, bob)
        assert.deepStrictEqual([out.status, out.text.includes("Signed out")], [200, true])
        assert.strictEqual(yield* csrf("/account"), "")
      }).pipe(Effect.provide(behind(proxy)))
    }))

  it.effect("may decide for the organization if the assertion says so, and its name goes with the assertion", () =>
    Effect.gen(function*() {
      const proxy = yield* startKeys
      const env = { PROFILE_CLAIMS: "organizationName=company", ORGANIZATION_DECIDER_CLAIM: "groups=owner" }
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { send } = yield* browser
        const after = Effect.fnUntraced(function*(more: JWTPayload) {
          yield* send("/sign-in?return_to=/account", {
            headers: { "x-assertion": yield* assertion(proxy, claimsOf("olga", more)) }
          })
          return yield* sql`SELECT organization_name AS name, decides_for_organization AS decides
            FROM accounts JOIN identities ON account_id = accounts.id WHERE subject = 'olga'`
        })
        assert.deepStrictEqual(yield* after({ company: "Acme", groups: ["owner"] }), [{ name: "Acme", decides: true }])
        assert.deepStrictEqual(yield* after({ company: "Acme" }), [{ name: "Acme", decides: false }])
        assert.deepStrictEqual(yield* after({ company: 7 }), [{ name: null, decides: false }])
      }).pipe(Effect.provide(behind(proxy, env)))
      // Without the settings the name stays, and nobody says any more who decides.
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { send } = yield* browser
        yield* sql`UPDATE accounts SET organization_name = 'Acme'
          WHERE id = (SELECT account_id FROM identities WHERE subject = 'olga')`
        yield* send("/sign-in?return_to=/account", {
          headers: { "x-assertion": yield* assertion(proxy, claimsOf("olga")) }
        })
        assert.deepStrictEqual(
          yield* sql`SELECT organization_name AS name, decides_for_organization AS decides
            FROM accounts JOIN identities ON account_id = accounts.id WHERE subject = 'olga'`,
          [{ name: "Acme", decides: null }]
        )
      }).pipe(Effect.provide(behind(proxy)))
    }))

  it.effect("who has gone at the proxy is gone for the management API, which an API key opens still", () =>
    Effect.gen(function*() {
      const proxy = yield* startKeys
      yield* Effect.gen(function*() {
        const { send } = yield* browser
        const boss = { "x-assertion": yield* assertion(proxy, claimsOf("ada", { groups: ["boss"] })) }
        const other = { "x-assertion": yield* assertion(proxy, claimsOf("ben")) }
        yield* send("/sign-in", { headers: boss })
        const { text } = yield* send("/account", { headers: boss })
        const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ""
        const call = (headers: Record<string, string>) =>
          Effect.all([
            send("/v2/admin/users", { headers }),
            send("/v2/api-keys", {
              method: "POST",
              headers: { "x-csrf-token": csrf, "content-type": "application/json", ...headers },
              body: JSON.stringify({ name: "script", expiresAt: "1970-02-01T00:00:00Z" })
            })
          ])
        const [users, made] = yield* call(boss)
        assert.deepStrictEqual([users.status, made.status], [200, 201])
        for (const headers of [other, {}, { "x-assertion": "forged" }]) {
          for (const refused of yield* call(headers)) {
            assert.deepStrictEqual([refused.status, refused.text.includes("not_signed_in")], [401, true])
          }
        }
        const [key = ""] = /slk_key_[\w-]+/.exec(made.text) ?? []
        const byKey = yield* send("/v2/admin/users", { headers: { authorization: `Bearer ${key}` } })
        assert.strictEqual(byKey.status, 200)
      }).pipe(Effect.provide(behind(proxy)))
    }))

  it.effect("an assertion that is not the proxy's, or not for this server, is nobody's", () =>
    Effect.gen(function*() {
      const proxy = yield* startKeys
      const stranger = yield* startKeys
      yield* Effect.gen(function*() {
        const { send } = yield* browser
        const good = claimsOf("eve")
        const shared = new TextEncoder().encode("a secret that both sides know, of 32")
        const signed = yield* assertion(proxy, good)
        const bad: Record<string, string> = {
          unsigned: new UnsecuredJWT(good).encode(),
          symmetric: yield* Effect.promise(() => new SignJWT(good).setProtectedHeader({ alg: "HS256" }).sign(shared)),
          "of another key": yield* assertion(stranger, good),
          expired: yield* assertion(proxy, { ...good, exp: -60 }),
          "without an end": yield* assertion(proxy, { iss: issuer, aud: audience, sub: "eve" }),
          "for another audience": yield* assertion(proxy, { ...good, aud: "grafana" }),
          "of another issuer": yield* assertion(proxy, { ...good, iss: `${issuer}/` }),
          "without a subject": yield* assertion(proxy, { iss: issuer, aud: audience, exp: 300 }),
          "with an unprintable subject": yield* assertion(proxy, { ...good, sub: "e\u0000ve" }),
          altered: `${signed.slice(0, -4)}AAAA`,
          "no JWT": "hello"
        }
        for (const [what, jwt] of Object.entries(bad)) {
          assert.strictEqual((yield* send("/sign-in", { headers: { "x-assertion": jwt } })).status, 403, what)
        }
        assert.isTrue(Option.isNone(yield* (yield* LinkedAccounts).find({ issuer, subject: "eve" })))
        assert.strictEqual((yield* send("/sign-in", { headers: { "x-assertion": `Bearer ${signed}` } })).status, 303)
      }).pipe(Effect.provide(behind(proxy)))
    }))

  it.effect("a page waits for the proxy's keys no longer than it must, and says that it cannot go on", () =>
    Effect.gen(function*() {
      const proxy = yield* startKeys
      yield* Effect.gen(function*() {
        const { send } = yield* browser
        const headers = { "x-assertion": yield* assertion(proxy, claimsOf("fay")) }
        const answers: Record<string, (response: ServerResponse) => unknown> = {
          broken: (response) => response.writeHead(500).end(),
          "no keys": (response) => response.end("<html>"),
          "10 MB": (response) => response.end(`{"keys":[],"x":"${"x".repeat(10_000_000)}"}`),
          "a redirect to itself": (response) => response.writeHead(302, { location: proxy.url }).end(),
          silent: () => undefined
        }
        for (const [what, answer] of Object.entries(answers)) {
          proxy.answer = answer as typeof proxy.answer
          assert.strictEqual((yield* send("/sign-in", { headers })).status, 503, what)
          // What needs no user goes on.
          assert.strictEqual((yield* send("/.well-known/oauth-authorization-server")).status, 200, what)
        }
        proxy.answer = proxy.healthy
        assert.strictEqual((yield* send("/sign-in", { headers })).status, 303)
      }).pipe(Effect.provide(behind(proxy)))
    }))

  it.effect("others find a button for each other way, and a form where local accounts are on", () =>
    Effect.gen(function*() {
      const proxy = yield* startKeys
      yield* Effect.gen(function*() {
        const { get, post } = yield* browser
        const page = parse((yield* get("/sign-in?return_to=%2Faccount&another=1")).text)
        assert.deepStrictEqual(
          page.querySelectorAll("main a.button").map((link) => [link.textContent, link.getAttribute("href")]),
          [
            ["platform.example", "handover"],
            ["login.example", "oidc"]
          ].map((
            [host, id]
          ) => [`Sign in with ${host}`, `/sign-in?method=${id}&return_to=%2Faccount&another=1`])
        )
        assert.isNotNull(page.querySelector("[name=password]"))
        // Those who are signed in at one of them would be signed in again by a press of its button.
        assert.include((yield* post("/sign-out", {})).text, "Signed out")
      }).pipe(Effect.provide(behind(proxy, {
        SIGN_IN: "local proxy oidc handover",
        HANDOVER_URL: "https://platform.example/login",
        HANDOVER_KEY: "the-key-of-the-platform-0123456789abcdef",
        OIDC_ISSUER: "https://login.example",
        OIDC_CLIENT_ID: "slotkey"
      })))
    }))

  it.effect("nobody is let in whose account is closed, and the log says so", () =>
    Effect.gen(function*() {
      const proxy = yield* startKeys
      yield* Effect.gen(function*() {
        const { send } = yield* browser
        const linked = yield* LinkedAccounts
        const headers = { "x-assertion": yield* assertion(proxy, claimsOf("gus")) }
        assert.strictEqual((yield* send("/sign-in", { headers })).status, 303)
        yield* linked.remove({ issuer, subject: "gus" }, "cli", () => Effect.void)
        assert.strictEqual((yield* send("/account", { headers })).status, 303)
        assert.strictEqual((yield* send("/sign-in", { headers })).status, 403)
        const lines = (yield* LogLines).all.map(({ message }) => message)
        assert.include(lines, "Refused a user of the proxy whose account is closed")
      }).pipe(Effect.provide(Layer.provideMerge(behind(proxy), LogLines.layer)))
    }))

  // Last test, because it moves the clock.
  it.effect("who has a role by a claim has it for a day after the last page, and a key of theirs as well", () =>
    Effect.gen(function*() {
      const proxy = yield* startKeys
      yield* Effect.gen(function*() {
        const { send } = yield* browser
        const day = 86_400
        const boss = { "x-assertion": yield* assertion(proxy, claimsOf("ida", { groups: ["boss"], exp: 3 * day })) }
        yield* send("/sign-in", { headers: boss })
        const { json } = yield* Effect.map(send("/v2/admin/users?search=ida", { headers: boss }), ({ text }) => ({
          json: JSON.parse(text)
        }))
        const id = UserId.make(json.data.users[0].id)
        const { key } = yield* (yield* ApiKeys).create(id, "script", id, DateTime.makeUnsafe(9 * day * 1_000))
        const byKey = Effect.map(
          send("/v2/admin/users", { headers: { authorization: `Bearer ${Redacted.value(key)}` } }),
          ({ status, text }) => text.includes("role_lapsed") ? "lapsed" : status
        )
        yield* TestClock.adjust("23 hours")
        assert.strictEqual((yield* send("/users", { headers: boss })).status, 200)
        yield* TestClock.adjust("23 hours")
        assert.strictEqual(yield* byKey, 200)
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(yield* byKey, "lapsed")
      }).pipe(Effect.provide(behind(proxy)))
    }))
})
