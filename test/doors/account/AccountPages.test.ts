import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Accounts } from "../../../src/core/accounts/local/Accounts.ts"
import { ManagedAccounts } from "../../../src/core/accounts/local/ManagedAccounts.ts"
import { SetupLinks } from "../../../src/core/accounts/local/SetupLinks.ts"
import { ApiKeys } from "../../../src/core/accounts/people/ApiKeys.ts"
import { Sessions } from "../../../src/core/accounts/people/Sessions.ts"
import { SignIn } from "../../../src/core/accounts/people/SignIn.ts"
import { PasswordPages } from "../../../src/doors/account/PasswordPages.ts"
import { ErrorBoundary } from "../../../src/foundation/web/ErrorBoundary.ts"
import { password } from "../../core/accounts/Scenario.ts"
import { useUp } from "../../support/LimitedSubject.ts"
import { browse, browser, Services } from "./Scenario.ts"

const signedIn = Effect.fnUntraced(function*(name: string) {
  const account = yield* (yield* Accounts).create({ email: `${name}@example.test`, name, password })
  const window = yield* browser
  yield* window.post("/sign-in", { email: account.email, password: Redacted.value(password) })
  return { account, ...window, csrf: yield* window.csrf("/account") }
})

layer(Services)("/account", (it) => {
  it.effect("redirects to the sign-in page without a session, and changes nothing", () =>
    Effect.gen(function*() {
      const { get, post } = yield* browser
      assert.strictEqual((yield* get("/account")).status, 303)
      for (const path of ["/account/profile", "/account/password", "/account/api-keys", "/account/api-keys/revoke"]) {
        assert.strictEqual((yield* post(path, {})).status, 403)
      }
    }))

  it.effect("refuses forms without the CSRF token of the session", () =>
    Effect.gen(function*() {
      const { account, csrf, post } = yield* signedIn("ann")
      const other = yield* signedIn("zoe")
      for (const token of ["", "wrong", other.csrf]) {
        assert.strictEqual((yield* post("/account/api-keys", { csrf: token, name: "x" })).status, 403)
      }
      assert.deepStrictEqual(yield* (yield* ApiKeys).list(account.id), [])
      assert.notStrictEqual(csrf, other.csrf)
    }))

  it.effect("creates an API key, shows it once, and revokes it", () =>
    Effect.gen(function*() {
      const { account, csrf, get, post } = yield* signedIn("bob")
      const keys = yield* ApiKeys
      const created = yield* post("/account/api-keys", { csrf, name: "<b>deploy</b>" })
      const key = /slk_key_[A-Za-z0-9]{49}/.exec(created.text)?.[0] ?? ""
      assert.strictEqual(created.headers.get("cache-control"), "no-store")
      assert.deepStrictEqual(yield* keys.verify(key), Option.some(account.id))
      const page = yield* get("/account")
      assert.notInclude(page.text, key)
      assert.include(page.text, `…${key.slice(-4)}`)
      assert.include(page.text, "&lt;b&gt;deploy")

      const id = /api-keys\/revoke\?id=([^"]+)"/.exec(page.text)?.[1] ?? ""
      assert.include(
        (yield* get(`/account/api-keys/revoke?id=${id}`)).text,
        "Revoke <bdi>&lt;b&gt;deploy&lt;/b&gt;</bdi>?"
      )
      const other = yield* signedIn("cat")
      assert.strictEqual((yield* other.get(`/account/api-keys/revoke?id=${id}`)).status, 404)
      assert.strictEqual((yield* other.post("/account/api-keys/revoke", { csrf: other.csrf, id })).status, 404)
      const revoked = yield* post("/account/api-keys/revoke", { csrf, id })
      assert.strictEqual(revoked.headers.get("location"), "/account")
      assert.isTrue(Option.isNone(yield* keys.verify(key)))
      assert.include((yield* get("/account")).text, "The API key is revoked.")
      assert.notInclude((yield* get("/account?done=api-key")).text, "The API key is revoked.")
      const nameless = yield* post("/account/api-keys", { csrf, name: "" })
      assert.strictEqual(nameless.status, 400)
      assert.match(nameless.text, /<input id="key-name"[^>]* aria-invalid="true" aria-describedby="key-name-note">/)
      assert.include(
        nameless.text,
        "<small id=\"key-name-note\" class=\"error\">What the new key is for must have 1 to 100 characters.</small>"
      )
    }))

  it.effect("gives a key the end that was chosen, at first after 90 days, and shows what has ended", () =>
    Effect.gen(function*() {
      const { account, csrf, get, post } = yield* signedIn("pia")
      yield* post("/account/time-zone", { csrf, time_zone: "Asia/Kolkata" })
      const keys = yield* ApiKeys
      const create = (fields: Record<string, string>) => post("/account/api-keys", { csrf, name: "k", ...fields })
      assert.include((yield* get("/account")).text, "<option value=\"90\" selected>in 90 days</option>")
      yield* create({})
      yield* create({ ends: "30", date: "1970-01-05" })
      // End of that day where the user lives.
      yield* create({ ends: "date", date: "1970-01-05" })
      const day = (day: number) => DateTime.add(DateTime.makeUnsafe(0), { days: day })
      const ends = (yield* keys.list(account.id)).map(({ expiresAt }) => expiresAt)
      assert.sameDeepMembers(ends, [day(90), day(30), DateTime.makeUnsafe("1970-01-05T18:30:00Z")])
      for (const date of ["", "soon", "1969-12-30"]) {
        const refused = yield* create({ ends: "date", date, name: "kept" })
        assert.strictEqual(refused.status, 400)
        assert.match(refused.text, /The day (is missing: choose a date|must be in the future)\./)
        assert.include(refused.text, "value=\"kept\"")
      }
      // Latest day that a browser lets people choose, whose end no clock can tell.
      const never = yield* create({ ends: "date", date: "275760-09-13" })
      assert.deepStrictEqual([never.status, never.text.includes("The day is too late.")], [400, true])
      const twice = yield* create({ ends: "date", date: "", name: "" })
      assert.include(twice.text, "What the new key is for must have 1 to 100 characters.")
      assert.include(twice.text, "The day is missing: choose a date.")
      // A browser that examined the form itself would point at the first fault alone.
      assert.include(twice.text, "action=\"/account/api-keys\" novalidate")
      for (const ends of ["-1", "0", "1.5", "366", "Infinity"]) {
        assert.strictEqual((yield* create({ ends })).status, 400)
      }
      yield* TestClock.adjust("5 days")
      assert.lengthOf((yield* get("/account")).text.match(/<strong>ended<\/strong>/g) ?? [], 1)
    }))

  it.effect("gives a key the whole of the chosen day, also where that day has 23 or 25 hours", () =>
    Effect.gen(function*() {
      const { account, csrf, post } = yield* signedIn("ute")
      yield* post("/account/time-zone", { csrf, time_zone: "Europe/Berlin" })
      for (const date of ["1980-04-06", "1980-09-28"]) {
        yield* post("/account/api-keys", { csrf, name: "k", ends: "date", date })
      }
      assert.sameDeepMembers(
        (yield* (yield* ApiKeys).list(account.id)).map(({ expiresAt }) => expiresAt),
        [DateTime.makeUnsafe("1980-04-06T22:00:00Z"), DateTime.makeUnsafe("1980-09-28T23:00:00Z")]
      )
    }))

  it.effect("saves a valid profile, and shows an invalid one again as it was entered", () =>
    Effect.gen(function*() {
      const { account, csrf, post } = yield* signedIn("dan")
      yield* signedIn("eve")
      const accounts = yield* Accounts
      const profile = {
        csrf,
        name: "Daniel",
        username: "daniel",
        bio: "Hi &\r\nbye",
        timeFormat: "24",
        weekStart: "Monday",
        timeZone: "Europe/Berlin"
      }
      assert.strictEqual((yield* post("/account/profile", profile)).headers.get("location"), "/account")
      const saved = Option.getOrThrow(yield* accounts.find(account.id))
      assert.deepInclude(saved, { name: "Daniel", bio: "Hi &\r\nbye", timeFormat: 24, timeZone: "Europe/Berlin" })

      const refused = yield* post("/account/profile", { ...profile, name: "", timeZone: "Mars/Base", bio: "kept" })
      assert.strictEqual(refused.status, 400)
      assert.include(refused.text, "Time zone is not known; write it as in Europe/Berlin.")
      assert.match(refused.text, /<textarea id="bio"[^>]*>\nkept<\/textarea>/)
      const taken = yield* post("/account/profile", { ...profile, username: "EVE" })
      assert.strictEqual(taken.status, 409)
      assert.include(taken.text, "User name is taken")
      const both = yield* post("/account/profile", { ...profile, username: "eve", name: "" })
      assert.strictEqual(both.status, 400)
      assert.match(both.text, /User name is taken/)
      assert.match(both.text, /aria-invalid="true"[^>]*name="name"|name="name"[^>]*aria-invalid="true"/)
      assert.strictEqual((yield* post("/account/profile", { csrf })).status, 400)
      assert.deepStrictEqual(yield* accounts.find(account.id), Option.some(saved))
    }))

  it.effect("shows the times of a page in the time zone that it was offered, and leads back to the page", () =>
    Effect.gen(function*() {
      const { account, csrf, get, post } = yield* signedIn("zed")
      const accounts = yield* Accounts
      const take = (time_zone: string, return_to: string) => post("/account/time-zone", { csrf, time_zone, return_to })
      yield* post("/account/api-keys", { csrf, name: "deploy" })
      const page = (yield* get("/account")).text
      assert.match(page, /<time datetime="[^"]+">[^<]+ UTC<\/time> <small class="distance">\(now\)<\/small>/)
      assert.isBelow(page.indexOf("action=\"/account/time-zone\""), page.indexOf("<h1>"))
      const taken = yield* take("Asia/Kolkata", "/account?from=here")
      assert.strictEqual(taken.headers.get("location"), "/account?from=here")
      assert.match((yield* get("/account")).text, /title="[^"]+ UTC">[^<]+ UTC\+5:30<\/time>/)
      assert.deepInclude(Option.getOrThrow(yield* accounts.find(account.id)), { ...account, timeZone: "Asia/Kolkata" })

      assert.strictEqual((yield* take("UTC", "//elsewhere.example")).headers.get("location"), "/")
      const refused = yield* take("Mars/Base", "/account")
      assert.strictEqual(refused.status, 400)
      assert.include(refused.text, "Time zone is not known; write it as in Europe/Berlin.")
      assert.include(refused.text, `value="${account.name}"`)
      assert.strictEqual(
        (yield* post("/account/time-zone", { csrf: "wrong", time_zone: "Asia/Kolkata", return_to: "/" })).status,
        403
      )
    }))

  it.effect("changes a password after checking the current one, and ends the other sessions", () =>
    Effect.gen(function*() {
      const { account, csrf, get, post } = yield* signedIn("fay")
      const elsewhere = yield* browser
      yield* elsewhere.post("/sign-in", { email: account.email, password: Redacted.value(password) })
      const change = {
        csrf,
        current: Redacted.value(password),
        password: "a new long password",
        repeated: "a new long password"
      }
      const refused = [
        { ...change, current: "not the current one" },
        { ...change, repeated: "another long password" },
        { ...change, password: "short", repeated: "short" }
      ]
      for (const fields of refused) assert.strictEqual((yield* post("/account/password", fields)).status, 400)
      const wrong = { ...change, current: "not the current one", password: "short", repeated: "bbbbbbbbbbbb" }
      // A browser that examined the forms itself would point at the first fault alone.
      assert.include((yield* get("/account")).text, "action=\"/account/password\" novalidate")
      assert.include((yield* get("/account")).text, "action=\"/account/profile\" novalidate")
      const { text } = yield* post("/account/password", wrong)
      assert.include(text, "<title>3 errors: Account · Slotkey</title>")
      assert.include(text, "Your current password is wrong.")
      assert.include(text, "The new password must have 12 to 256 characters")
      assert.include(text, "The new password again does not match the one above.")
      const common = { password: "aaaaaaaaaaaa", repeated: "aaaaaaaaaaaa" }
      // Nobody has the password examined who does not know the current one.
      const unproven = yield* post("/account/password", { ...change, ...common, current: "not the current one" })
      assert.notInclude(unproven.text, "easy to guess")
      assert.include(
        (yield* post("/account/password", { ...change, ...common })).text,
        "The new password is easy to guess"
      )
      assert.strictEqual((yield* elsewhere.get("/account")).status, 200)
      const keys = yield* ApiKeys
      yield* keys.create(account.id, "ci", account.id)
      assert.include((yield* get("/account")).text, "Revoke my API keys (1), too")
      yield* post("/account/password", change)
      assert.lengthOf(yield* keys.list(account.id), 1)
      assert.strictEqual((yield* get("/account")).status, 200)
      assert.strictEqual((yield* elsewhere.get("/account")).status, 303)
      const again = yield* elsewhere.post("/sign-in", { email: account.email, password: "a new long password" })
      assert.strictEqual(again.status, 303)
      yield* post("/account/password", { ...change, current: change.password, keys: "on" })
      assert.deepStrictEqual(yield* keys.list(account.id), [])
    }))
})

layer(Services)("The current password", (it) => {
  it.effect.each(["/account/password", "/account/email"])(
    "is not looked at for %s when the sign-ins of the account are used up",
    (path) =>
      Effect.gen(function*() {
        const { account, csrf, post } = yield* signedIn(`hal${path.length}`)
        yield* useUp("budget", "sign-in", "account", account.id)
        const sent = { csrf, current: "not the current one", email: "other@example.test" }
        const refused = yield* post(path, sent)
        assert.strictEqual(refused.status, 429)
      })
  )
})

/** Pages where somebody else changes the password after the current one was checked, which ends all sessions. */
const overtaken = browse(
  Layer.mergeAll(PasswordPages, ErrorBoundary).pipe(
    Layer.provide(HttpServer.layerServices),
    Layer.provide(Layer.effect(
      SignIn,
      Effect.gen(function*() {
        const signIn = yield* SignIn
        const sessions = yield* Sessions
        return {
          ...signIn,
          confirm: (account, attempt) => Effect.tap(signIn.confirm(account, attempt), () => sessions.endAll(account.id))
        }
      })
    ))
  )
)

layer(Services)("/account/password", (it) => {
  it.effect("leaves the password as it is when the session has ended meanwhile", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const sessions = yield* Sessions
      const account = yield* accounts.create({ email: "gil@example.test", name: "Gil", password })
      const token = Redacted.value(yield* sessions.start(account.id))
      const { csrf } = Option.getOrThrow(yield* sessions.find(token))
      const current = Redacted.value(password)
      const refused = yield* (yield* overtaken).post(
        "/account/password",
        { csrf, current, password: "a new long password", repeated: "a new long password" },
        { cookie: `__Host-slotkey=${token}` }
      )
      assert.strictEqual(refused.status, 403)
      assert.include(refused.text, "nothing was changed")
      yield* (yield* SignIn).confirm(account, { password, address: "192.0.2.1" })
    }))
})

layer(Services)("/setup", (it) => {
  it.effect("makes the first administrator and signs them in, once", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const link = new URL(Redacted.value(Option.getOrThrow(yield* (yield* SetupLinks).mint)))
      const token = link.searchParams.get("token") ?? ""
      const { get, post } = yield* browser
      assert.strictEqual((yield* get("/setup?token=slk_setup_wrong")).status, 410)
      assert.strictEqual((yield* get("/setup")).status, 410)
      assert.include((yield* get(link.pathname + link.search)).text, token)

      const fields = {
        token,
        name: "Root",
        email: "root@example.test",
        password: "a long password",
        repeated: "a long password"
      }
      assert.strictEqual((yield* post("/setup", fields, { "sec-fetch-site": "cross-site" })).status, 403)
      assert.strictEqual((yield* post("/setup", { ...fields, repeated: "differs" })).status, 400)
      assert.strictEqual((yield* post("/setup", { ...fields, email: "root" })).status, 400)
      assert.strictEqual((yield* post("/setup", { ...fields, password: "short", repeated: "short" })).status, 400)
      assert.deepStrictEqual((yield* (yield* ManagedAccounts).list({})).accounts, [])
      yield* accounts.create({ email: "eve@example.test", name: "Eve", password: Redacted.make("a long password") })
      assert.strictEqual((yield* post("/setup", { ...fields, email: "eve@example.test" })).status, 409)

      assert.strictEqual((yield* post("/setup", fields)).headers.get("location"), "/what-next")
      assert.include((yield* get("/account")).text, "administrator")
      assert.strictEqual((yield* post("/setup", { ...fields, email: "second@example.test" })).status, 410)
      assert.strictEqual((yield* get(link.pathname + link.search)).status, 410)
      assert.deepStrictEqual((yield* (yield* ManagedAccounts).list({})).accounts.map(({ name }) => name).sort(), [
        "Eve",
        "Root"
      ])
      assert.deepStrictEqual(yield* (yield* SqlClient.SqlClient)`SELECT digest FROM setup_links`, [])
    }))
})
