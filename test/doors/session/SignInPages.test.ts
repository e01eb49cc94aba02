import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Accounts } from "../../../src/core/accounts/local/Accounts.ts"
import { perAccount } from "../../../src/core/accounts/people/SignInThrottle.ts"
import { password } from "../../core/accounts/Scenario.ts"
import { type Answer, browser, Services } from "../account/Scenario.ts"

const account = Effect.fnUntraced(function*(name: string) {
  yield* (yield* Accounts).create({ email: `${name}@example.test`, name, password })
  return { email: `${name}@example.test`, password: Redacted.value(password) }
})

const sessions = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT digest FROM sessions`)

/** What a page says to any caller: without the address and the reference of the request. */
const withoutEmail = ({ status, text }: Answer) => ({
  status,
  text: text.replace(/[a-z]+@example\.test/g, "").replace(/Reference: <code>[^<]*/, "")
})

layer(Services)("/sign-in", (it) => {
  it.effect("signs in and out, with a cookie that only this host gets over https", () =>
    Effect.gen(function*() {
      const { csrf, get, post } = yield* browser
      const fields = yield* account("ann")
      const form = yield* get("/sign-in")
      assert.strictEqual(form.status, 200)
      assert.include(form.headers.get("content-security-policy"), "form-action 'self'")
      assert.strictEqual(form.headers.get("cache-control"), "no-store")

      const signedIn = yield* post("/sign-in", { ...fields, return_to: "/account?x=1" })
      assert.strictEqual(signedIn.status, 303)
      assert.strictEqual(signedIn.headers.get("location"), "/account?x=1")
      assert.match(
        signedIn.headers.get("set-cookie") ?? "",
        /^__Host-slotkey=slk_session_[A-Za-z0-9]{49}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/
      )
      assert.include((yield* get("/account")).text, fields.email)
      // A signed-in browser is sent on at once.
      assert.strictEqual((yield* get("/sign-in?return_to=%2Faccount")).headers.get("location"), "/account")

      const forged = yield* post("/sign-out", { csrf: "wrong" })
      assert.strictEqual(forged.status, 403)
      const signedOut = yield* post("/sign-out", { csrf: yield* csrf("/account") })
      assert.strictEqual(signedOut.headers.get("location"), "/sign-in")
      assert.strictEqual((yield* get("/account")).headers.get("location"), "/sign-in?return_to=%2Faccount")
      assert.deepStrictEqual(yield* sessions, [])
    }))

  it.effect("replaces the earlier session", () =>
    Effect.gen(function*() {
      const { post } = yield* browser
      const fields = yield* account("bob")
      yield* post("/sign-in", fields)
      const before = yield* sessions
      yield* post("/sign-in", fields)
      const after = yield* sessions
      assert.strictEqual(after.length, before.length)
      assert.notDeepEqual(after, before)
    }))

  it.effect.each(["https://evil.test/", "//evil.test", "/\\evil.test", "/.//evil.test"])(
    "never leads to %s",
    (evil) =>
      Effect.gen(function*() {
        const { post } = yield* browser
        yield* Effect.ignore(account("cat"))
        const fields = { email: "cat@example.test", password: Redacted.value(password), return_to: evil }
        assert.strictEqual((yield* post("/sign-in", fields)).headers.get("location"), "/")
      })
  )

  it.effect("leads to the authorization endpoint from a page, not by a redirect after the form", () =>
    Effect.gen(function*() {
      const { post } = yield* browser
      const fields = yield* account("dan")
      const target = "/auth/oauth2/authorize?client_id=a&state=%22%3E%3Cscript%3E"
      const answer = yield* post("/sign-in", { ...fields, return_to: target })
      assert.strictEqual(answer.status, 200)
      assert.include(answer.text, `<meta http-equiv="refresh" content="0;url=${target.replace("&", "&amp;")}">`)
      assert.include(answer.text, "href=\"/auth/oauth2/authorize?client_id=a&amp;state=%22%3E%3Cscript%3E\"")
    }))

  it.effect("does not reveal whether an account exists, neither by the page nor by throttling", () =>
    Effect.gen(function*() {
      const { post } = yield* browser
      yield* account("eve")
      const attempt = (name: string) =>
        post("/sign-in", { email: `${name}@example.test`, password: "guess guess guess" })
      for (let i = 0; i < perAccount; i++) {
        const known = yield* attempt("eve")
        const unknown = yield* attempt("nobody")
        assert.strictEqual(known.status, 403)
        assert.isNull(known.headers.get("set-cookie"))
        assert.deepStrictEqual(withoutEmail(known), withoutEmail(unknown))
      }
      const known = yield* attempt("eve")
      const unknown = yield* attempt("nobody")
      assert.strictEqual(known.status, 429)
      assert.strictEqual(known.headers.get("retry-after"), "900")
      assert.deepStrictEqual(withoutEmail(known), withoutEmail(unknown))
      yield* TestClock.adjust(Duration.minutes(15))
      assert.strictEqual((yield* attempt("eve")).status, 403)
    }))

  it.effect("refuses forms from another site", () =>
    Effect.gen(function*() {
      const { post, send } = yield* browser
      const fields = yield* account("fay")
      assert.strictEqual((yield* post("/sign-in", fields, { "sec-fetch-site": "cross-site" })).status, 403)
      assert.strictEqual((yield* post("/sign-in", fields, { "sec-fetch-site": "same-site" })).status, 403)
      const old = (origin: string) =>
        send("/sign-in", {
          method: "POST",
          body: new URLSearchParams(fields).toString(),
          headers: { "content-type": "application/x-www-form-urlencoded", origin }
        })
      assert.strictEqual((yield* old("https://evil.test")).status, 403)
      assert.strictEqual((yield* old("null")).status, 403)
      assert.strictEqual((yield* old("https://slotkey.test")).status, 303)
    }))

  it.effect.each([
    { what: "a NUL", body: "email=a%00b&password=x", status: 400 },
    { what: "invalid UTF-8", body: "email=%ff&password=x", status: 400 },
    { what: "raw invalid UTF-8", body: new Uint8Array([0x65, 0x3d, 0xff]), status: 400 },
    { what: "a repeated field", body: "email=a&email=b", status: 400 },
    { what: "another media type", body: "{}", status: 415, type: "application/json" },
    { what: "a megabyte", body: `email=${"x".repeat(1e6)}`, status: 413 },
    { what: "nothing", body: "", status: 403 }
  ])(
    "refuses $what with a page",
    ({ body, status, type = "application/x-www-form-urlencoded" }) =>
      Effect.gen(function*() {
        const { send } = yield* browser
        const answer = yield* send("/sign-in", { method: "POST", body, headers: { "content-type": type } })
        assert.strictEqual(answer.status, status)
        assert.include(answer.headers.get("content-type"), "text/html")
      })
  )

  it.effect("escapes what was entered", () =>
    Effect.gen(function*() {
      const { get, post } = yield* browser
      const nasty = "\"><script>alert(1)</script>"
      assert.notInclude((yield* post("/sign-in", { email: nasty, password: "x", return_to: nasty })).text, "<script>")
      assert.notInclude((yield* get(`/sign-in?return_to=${encodeURIComponent(`/${nasty}`)}`)).text, "<script>")
    }))
})
