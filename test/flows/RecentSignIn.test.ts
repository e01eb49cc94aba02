// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { parse } from "node-html-parser"
import { Routes } from "../../src/app/Routes.ts"
import { LinkedAccounts } from "../../src/core/accounts/linked/LinkedAccounts.ts"
import { Accounts } from "../../src/core/accounts/local/Accounts.ts"
import { Invitations } from "../../src/core/accounts/local/Invitations.ts"
import type { Role } from "../../src/core/accounts/people/Account.ts"
import { ApiKeys } from "../../src/core/accounts/people/ApiKeys.ts"
import * as Testing from "../../src/testing.ts"
import { password } from "../core/accounts/Scenario.ts"
import * as Clients from "../core/clients/Scenario.ts"
import { type Answer, browse } from "../doors/account/Scenario.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const Server = Layer.mergeAll(Testing.layer(), HttpServer.layerServices).pipe(Layer.provideMerge(TestDatabase.layer))

/** A user who has just signed in at a browser. */
const signedIn = Effect.fnUntraced(function*(role: Role) {
  const email = `${crypto.randomUUID()}@example.test`
  const account = yield* (yield* Accounts).create({ email, name: `Some ${role}`, password, role })
  const { csrf, get, post, send } = yield* browse(Routes)
  const signIn = (fields: Record<string, string>, secret = Redacted.value(password)) =>
    post("/sign-in", { ...fields, email, password: secret })
  yield* signIn({})
  const fieldsOf = (text: string, action: string) => {
    const form = parse(text).querySelectorAll("main form").find((one) => one.getAttribute("action") === action)
    return Object.fromEntries(
      form?.querySelectorAll("input").map((one) => [one.getAttribute("name") ?? "", one.getAttribute("value") ?? ""]) ??
        []
    )
  }
  /** Sends the form of this action that stands on a page, with some fields filled in. */
  const act = Effect.fnUntraced(function*(page: string, action: string, entered: Record<string, string> = {}) {
    return yield* post(action, { ...fieldsOf((yield* get(page)).text, action), ...entered })
  })
  const follow = Effect.fnUntraced(function*(first: Answer) {
    let answer = first
    for (let next = locationOf(answer); next !== null; next = locationOf(answer)) answer = yield* get(next)
    return answer
  })
  return { account, act, csrf, fieldsOf, follow, get, post, send, signIn }
})

const locationOf = ({ headers }: Answer) => headers.get("location")

/** Numbers of rows that dangerous acts change. */
const state = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`SELECT (SELECT count(*)::int FROM api_keys) AS keys, (SELECT count(*)::int FROM client_secrets) AS secrets,
    (SELECT count(*)::int FROM clients) AS clients, (SELECT string_agg(role, ',' ORDER BY id) FROM accounts) AS roles,
    (SELECT count(disabled_at)::int FROM accounts) AS disabled, (SELECT string_agg(id, ',') FROM mailed_links) AS invitations`
})

layer(Server, { timeout: 60_000 })("A dangerous act", (it) => {
  it.effect("asks to sign in again on every page that has one, and changes nothing", () =>
    Effect.gen(function*() {
      const { account, act, get } = yield* signedIn("admin")
      const { client } = yield* Clients.newClient(account.id)
      const user = yield* Clients.newAccount("user")
      const invited = yield* (yield* Invitations).invite({ email: "ines@example.test", role: "admin" }, account.id)
      const invitations = "/users/invitations"
      yield* TestClock.adjust("9 minutes")
      const app = `/settings/apps/${client.id}`
      assert.strictEqual((yield* act(`${app}/credentials`, `${app}/secrets`)).status, 200)
      yield* TestClock.adjust("61 seconds")
      const before = yield* state
      const acts = [
        ["/account", "/account/api-keys", { name: "script" }],
        [`${app}/credentials`, `${app}/secrets`, {}],
        [`${app}/settings`, `${app}/delete`, { confirm: client.name }],
        [`/users/${user}/role?role=admin`, `/users/${user}/role`, {}],
        [`/users/${user}/disable`, `/users/${user}/disable`, {}],
        [`/users/${user}/disable`, `/users/${user}/enable`, {}],
        [invitations, invitations, { email: "mallory@example.test", role: "admin" }],
        [invitations, `${invitations}/${invited.id}/resend`, {}]
      ] as const
      for (const [page, action, entered] of acts) {
        // Some forms are on the page only where they can be used; the token of any form on it does.
        const { headers, status } = yield* act(page, action, { ...tokens((yield* get(page)).text), ...entered })
        assert.deepStrictEqual([action, status], [action, 303])
        assert.match(headers.get("location") ?? "", /^\/sign-in\?return_to=%2Fcontinue%2F[\w-]+%3Frecent%3D1&again=1$/)
      }
      assert.deepStrictEqual(yield* state, before)
      // What only looks, or takes something away, does not ask.
      assert.strictEqual((yield* get("/users")).status, 200)
      yield* act(invitations, `${invitations}/${invited.id}/withdraw`)
      assert.isEmpty(yield* (yield* Invitations).list)
    }))

  it.effect("goes on where it was after the sign-in, which is a new session", () =>
    Effect.gen(function*() {
      const { act, fieldsOf, follow, get, post, signIn, account } = yield* signedIn("user")
      yield* TestClock.adjust("11 minutes")
      const before = yield* state
      const asked = yield* act("/account", "/account/api-keys", { name: "Nightly export" })
      const page = yield* get(asked.headers.get("location") ?? "")
      assert.include(page.text, "Sign in again")
      assert.include(page.text, `value="${account.email}"`)
      const fields = fieldsOf(page.text, "/sign-in")
      const wrong = yield* signIn(fields, "not the password at all")
      assert.strictEqual(wrong.status, 403)
      assert.include(wrong.text, "Sign in again")
      const back = yield* follow(yield* signIn(fields))
      assert.include(back.text, "this form was not sent")
      assert.include(back.text, "value=\"Nightly export\"")
      assert.deepStrictEqual(yield* state, before)
      const made = yield* post("/account/api-keys", fieldsOf(back.text, "/account/api-keys"))
      assert.include(made.text, "slk_key_")
    }))

  it.effect("is refused to an old session by the management API, and done for an API key", () =>
    Effect.gen(function*() {
      const { account, csrf, send } = yield* signedIn("admin")
      const { client } = yield* Clients.newClient(account.id)
      const user = yield* Clients.newAccount("user")
      const { key } = yield* (yield* ApiKeys).create(account.id, "script", account.id)
      const subject = { issuer: "https://id.platform.test", subject: "ann" }
      yield* (yield* LinkedAccounts).put({ ...subject, profile: {}, roles: {} }, account.id)
      const identity = `/v2/admin/identities?${new URLSearchParams(subject)}`
      const token = yield* csrf("/account")
      const app = `/v2/oauth-clients/${client.id}`
      const acts = [
        ["POST", "/v2/api-keys", { name: "script" }],
        ["PATCH", `/v2/admin/users/${user}`, { role: "reviewer" }],
        ["POST", `${app}/secrets`, undefined],
        ["DELETE", app, undefined],
        ["PUT", identity, { role: "reviewer" }],
        ["DELETE", identity, undefined],
        ["DELETE", `${identity}&erase=true`, undefined]
      ] as const
      const call = (headers: Record<string, string>) => ([method, path, body]: typeof acts[number]) =>
        send(path, {
          method,
          headers: { "content-type": "application/json", ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
      yield* TestClock.adjust("11 minutes")
      const before = yield* state
      for (const act of acts) {
        const refused = yield* call({ "x-csrf-token": token })(act)
        assert.deepStrictEqual([act[1], refused.status], [act[1], 403])
        assert.include(refused.text, "recent_sign_in_required")
      }
      assert.deepStrictEqual(yield* state, before)
      const byKey = yield* Effect.forEach(acts.slice(1), call({ authorization: `Bearer ${Redacted.value(key)}` }))
      assert.deepStrictEqual(byKey.map(({ status }) => status), [200, 201, 200, 200, 200, 200])
    }))
})

/** Hidden fields that every form of a page has. */
const tokens = (text: string) =>
  Object.fromEntries(["csrf", "form_user", "form_page"].flatMap((name) => {
    const value = parse(text).querySelector(`main input[name="${name}"]`)?.getAttribute("value")
    return value === undefined ? [] : [[name, value]]
  }))
