import { assert, layer } from "@effect/vitest"
import { Clock, DateTime, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ManagedAccounts } from "../../../../src/core/accounts/local/ManagedAccounts.ts"
import { ApiKeys } from "../../../../src/core/accounts/people/ApiKeys.ts"
import * as Credential from "../../../../src/domain/Credential.ts"
import { UserId } from "../../../../src/domain/Ids.ts"
import { newAccount } from "../../../core/clients/Scenario.ts"
import { serverClient } from "../../../support/TestServer.ts"
import { browser, Platform, serverWith } from "./Scenario.ts"

const Server = serverWith({ ADMINISTRATOR_CLAIM: "groups=admins", REVIEWER_CLAIM: "groups=reviewers" })

/** A user with a browser and an API key, whom the provider says to be in this group at the first sign-in. */
const member = Effect.fnUntraced(function*(group: string) {
  const platform = yield* Platform
  const http = yield* serverClient
  const sql = yield* SqlClient.SqlClient
  const sub = crypto.randomUUID()
  /** Provider's word from now on. */
  const says = (group: string) =>
    Effect.sync(() => {
      platform.user = { sub, name: "Ada", groups: [group] }
    })
  yield* says(group)
  const mine = yield* browser
  yield* mine.signIn()
  const [row] = yield* sql<{ accountId: string }>`SELECT account_id FROM identities WHERE subject = ${sub}`
  const id = UserId.make(row?.accountId ?? "")
  const end = DateTime.add(yield* DateTime.now, { days: 90 })
  const { key } = yield* (yield* ApiKeys).create(id, "script", id, end)
  const victim = yield* newAccount("somebody")

  /** Makes somebody a reviewer by the key: only an administrator may. */
  const appoint = Effect.map(
    http.ask(`/v2/admin/users/${victim}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${Redacted.value(key)}`, "content-type": "application/json" },
      body: JSON.stringify({ role: "reviewer" })
    }),
    ({ json, status }) => (json["error"] as { readonly code: string } | undefined)?.code ?? status
  )
  /** Looks at a page, and goes where the browser is sent; where that is the provider, answers its address there. */
  const look = Effect.fnUntraced(function*(path: string) {
    let answer = yield* mine.send(path)
    while (answer.location?.host === "slotkey.test") answer = yield* mine.send(answer.location)
    return answer
  })
  const logOut = Effect.fnUntraced(function*(claims: Record<string, unknown>) {
    const iat = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const events = { "http://schemas.openid.net/event/backchannel-logout": {} }
    const token = { iat, exp: iat + 120, jti: crypto.randomUUID(), events, ...claims }
    const body = new URLSearchParams({ logout_token: yield* Effect.promise(() => platform.sign(token)) })
    assert.strictEqual((yield* mine.send("/sign-in/oidc/back-channel-logout", { method: "POST", body })).status, 200)
  })
  return { ...mine, platform, id, sub, says, appoint, look, logOut }
})

/** Provider's name for its session behind one of ours. */
const sidOf = Effect.fnUntraced(function*(token = "") {
  const sql = yield* SqlClient.SqlClient
  const digest = Credential.digest(token)
  const [row] = yield* sql<{ readonly sid: string }>`SELECT sid FROM sessions WHERE digest = ${digest}`
  return row?.sid
})

layer(Server, { timeout: 60_000 })("A role by a claim", (it) => {
  it.effect("counts for a day after the last sign-in, for a key and in a browser", () =>
    Effect.gen(function*() {
      const { appoint, authenticate, look, platform, send } = yield* member("admins")
      yield* TestClock.adjust("1439 minutes")
      assert.deepStrictEqual([yield* appoint, (yield* look("/users")).status], [200, 200])
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* appoint, "role_lapsed")
      // The browser comes to the provider, which asks for nothing if its own session lives, and back to the page.
      const { location = new URL("about:blank") } = yield* look("/users")
      assert.deepStrictEqual([location.origin, location.searchParams.get("prompt")], [platform.issuer, null])
      const back = yield* send(yield* authenticate(location))
      assert.strictEqual(back.location?.pathname, "/users")
      assert.deepStrictEqual([yield* appoint, (yield* look("/users")).status], [200, 200])
    }))

  it.effect("has ended at the sign-in at which the provider does not say so any more", () =>
    Effect.gen(function*() {
      const { appoint, authenticate, look, says, send } = yield* member("admins")
      yield* TestClock.adjust("1 day")
      yield* says("guests")
      const { location = new URL("about:blank") } = yield* look("/users")
      yield* send(yield* authenticate(location))
      // No circle: what is not the user's any more is refused.
      assert.strictEqual((yield* look("/users")).status, 403)
      assert.strictEqual(yield* appoint, "administrators_only")
    }))

  it.effect("ends with the user's sign-in at the provider, until the next one", () =>
    Effect.gen(function*() {
      for (const named of ["user", "session", "both"]) {
        const { appoint, jar, logOut, signIn, sub } = yield* member("admins")
        assert.strictEqual(yield* appoint, 200)
        const sid = yield* sidOf(jar.get("__Host-slotkey"))
        yield* logOut(named === "user" ? { sub } : named === "session" ? { sid } : { sub, sid })
        assert.deepStrictEqual([named, yield* appoint], [named, "role_lapsed"])
        yield* signIn()
        assert.strictEqual(yield* appoint, 200)
      }
    }))

  it.effect("is no concern of another user's end of a sign-in", () =>
    Effect.gen(function*() {
      const { appoint } = yield* member("admins")
      const other = yield* member("admins")
      yield* other.logOut({ sub: other.sub })
      assert.strictEqual(yield* appoint, 200)
    }))

  it.effect("stays above the role that was set here, which no time, sign-in or end of one touches", () =>
    Effect.gen(function*() {
      const accounts = yield* ManagedAccounts
      const { appoint, authenticate, id, logOut, look, says, send, sub } = yield* member("admins")
      const role = Effect.map(accounts.get(id), ({ role }) => role)
      yield* accounts.setRole(id, "reviewer", "cli")
      assert.strictEqual(yield* appoint, "administrators_only")
      const signInAnew = Effect.gen(function*() {
        yield* logOut({ sub })
        const { location = new URL("about:blank") } = yield* look("/account")
        yield* send(yield* authenticate(location))
      })
      yield* signInAnew
      assert.strictEqual(yield* role, "admin")
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* role, "reviewer")
      yield* says("guests")
      yield* signInAnew
      assert.strictEqual(yield* role, "reviewer")
      yield* accounts.setRole(id, "admin", "cli")
      yield* signInAnew
      yield* TestClock.adjust("10 days")
      assert.deepStrictEqual([yield* role, yield* appoint], ["admin", 200])
    }))

  it.effect("brings back a form whose role has lapsed, filled in", () =>
    Effect.gen(function*() {
      const { authenticate, id, look, send } = yield* member("reviewers")
      const { text } = yield* look("/account")
      const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ""
      yield* TestClock.adjust("1 day")
      const sent = yield* send("/review/some/approve", {
        method: "POST",
        headers: { "sec-fetch-site": "same-origin" },
        body: new URLSearchParams({ csrf, form_page: "/review" })
      })
      assert.match(sent.location?.search ?? "", /^\?return_to=%2Fcontinue%2F[\w-]+&renew=1$/)
      const there = yield* look(sent.location?.href ?? "")
      const back = yield* send(yield* authenticate(there.location ?? new URL("about:blank")))
      assert.match(back.location?.pathname ?? "", /^\/continue\//)
      assert.strictEqual((yield* look(back.location?.href ?? "")).status, 200)
      assert.strictEqual((yield* (yield* ManagedAccounts).get(id)).role, "reviewer")
    }))

  it.effect("goes with no key that has no end", () =>
    Effect.gen(function*() {
      const accounts = yield* ManagedAccounts
      const keys = yield* ApiKeys
      const { id } = yield* member("admins")
      const create = keys.create(id, "for ever", id)
      for (const pause of ["0 minutes", "1 day"] as const) {
        yield* TestClock.adjust(pause)
        const refused = yield* Effect.flip(create)
        assert.deepStrictEqual(refused.details?.map(({ path }) => path), ["expiresAt"])
      }
      yield* accounts.setRole(id, "admin", "cli")
      assert.strictEqual((yield* create).info.expiresAt, null)
    }))
})
