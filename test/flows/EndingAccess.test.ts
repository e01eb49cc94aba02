import { assert, layer } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../src/core/accounts/local/Accounts.ts"
import { ApiKeys } from "../../src/core/accounts/people/ApiKeys.ts"
import { Sessions } from "../../src/core/accounts/people/Sessions.ts"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import { Grants } from "../../src/core/grants/Grants.ts"
import { cookieName } from "../../src/doors/session/SessionCookie.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import { password } from "../core/accounts/Scenario.ts"
import { newClient } from "../core/clients/Scenario.ts"
import { approvedApp, form, layer as server, serverClient } from "../support/TestServer.ts"

/** A browser in which a new account is signed in. */
const signedIn = Effect.fnUntraced(function*(name: string, role: "user" | "admin" = "user") {
  const account = yield* (yield* Accounts).create({ email: `${name}@example.test`, name, password, role })
  const sessions = yield* Sessions
  const { ask } = yield* serverClient
  const token = Redacted.value(yield* sessions.start(account.id))
  const cookie = `${cookieName(yield* AppConfig)}=${token}`
  const { csrf } = Option.getOrThrow(yield* sessions.find(token))
  const get = (path: string) => ask(path, { headers: { cookie } })
  const post = (path: string, fields: Readonly<Record<string, string>>) =>
    ask(path, { method: "POST", headers: { cookie, origin: "https://slotkey.test" }, body: form({ csrf, ...fields }) })
  const close = (fields: Readonly<Record<string, string>> = {}) =>
    post("/account/close", { current: Redacted.value(password), ...fields })
  return { account, csrf, get, post, close }
})

const exists = (id: string) => Effect.flatMap(Accounts, (accounts) => Effect.map(accounts.find(id), Option.isSome))

layer(server(), { timeout: 60_000 })("A user who ends access", (it) => {
  it.effect("by closing the account ends all that hangs on it at once, and tells by mail; the trail keeps the id", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const keys = yield* ApiKeys
      const app = yield* approvedApp()
      const { account, close, get } = yield* signedIn("cleo")
      const { key } = yield* keys.create(account.id, "deploy", account.id)
      const tokens = (yield* app.exchange(yield* app.code({ user: account.id }))).json
      const { client: own } = yield* newClient(account.id, { name: "Nobody's calendar" })
      const page = yield* get("/account/close")
      assert.include(page.text, "a connected app loses access")
      assert.include(page.text, "An API key is refused")
      assert.include(page.text, "Nobody&#39;s calendar")

      const wrong = yield* close({ current: "not this password" })
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.text, "Your password is wrong.")
      assert.isTrue(yield* exists(account.id))

      const closed = yield* close()
      assert.strictEqual(closed.status, 200)
      assert.include(closed.text, "Your account is closed")
      assert.include(closed.headers.get("set-cookie"), "Max-Age=0")
      assert.isFalse(yield* exists(account.id))
      assert.strictEqual((yield* get("/account")).status, 303)
      assert.isTrue(Option.isNone(yield* keys.verify(Redacted.value(key))))
      assert.deepStrictEqual(yield* (yield* Grants).listLive(account.id), [])
      assert.strictEqual((yield* (yield* serverClient).me(tokens["access_token"])).status, 401)
      assert.isTrue(Option.isNone(yield* (yield* ClientRegistry).find(own.id)))
      assert.deepStrictEqual(
        yield* sql`SELECT payload FROM outbox WHERE queue = 'account-closed' AND subject = ${`user:${account.id}`}`,
        [{
          payload: {
            userId: account.id,
            email: "cleo@example.test",
            name: "cleo",
            reader: { locale: "", timeZone: "UTC", timeFormat: 12 }
          }
        }]
      )
      assert.deepStrictEqual(
        yield* sql`SELECT actor FROM audit_log WHERE action = 'account.deleted' AND user_id = ${account.id}`,
        [{ actor: account.id }]
      )
    }))

  it.effect("by closing the account deletes apps that people use only if that is said, and changes nothing before", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const app = yield* approvedApp()
      const { account, close, get } = yield* signedIn("olga")
      const sql = yield* SqlClient.SqlClient
      yield* app.exchange(yield* app.code())
      yield* sql`UPDATE clients SET owner_id = ${account.id} WHERE id = ${app.client.id}`
      assert.include((yield* get("/account/close")).text, "1 user")
      const refused = yield* close()
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "have them given to another owner first.")
      // Nobody suspends an app of theirs: that is for reviewers.
      assert.notInclude(refused.text, "Suspend")
      assert.strictEqual((yield* get("/account")).status, 200)
      assert.isTrue(Option.isSome(yield* registry.find(app.client.id)))
      assert.strictEqual((yield* close({ apps: "on" })).status, 200)
      assert.isTrue(Option.isNone(yield* registry.find(app.client.id)))
      assert.isFalse(yield* exists(account.id))
    }))

  it.effect("by closing the account half way through a consent gets a clear page and no code", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const app = yield* approvedApp()
      const { account, close, get, post } = yield* signedIn("hal")
      const parameters = {
        client_id: app.client.id,
        response_type: "code",
        redirect_uri: app.client.redirectUris[0],
        scope: "PROFILE_READ"
      }
      const { text } = yield* get(`/auth/oauth2/authorize?${form(parameters)}`)
      const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ""
      const action = /<form[^>]*action="([^"]*decision[^"]*)"/.exec(text)?.[1] ?? ""
      const question = Object.fromEntries(["request", "mark", "page"].map((name) => [name, field(name)]))
      assert.notStrictEqual(question["request"], "")
      assert.strictEqual((yield* close()).status, 200)
      const answer = yield* post(new URL(action, "https://slotkey.test").pathname, { ...question, decision: "allow" })
      assert.strictEqual(answer.status, 403)
      assert.match(answer.text, /Account closed|Signed out/)
      assert.isNull(answer.headers.get("location"))
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM codes WHERE user_id = ${account.id}`, [])
    }))

  it.effect("cannot close the last administrator's account, nor one that a platform keeps", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { account, close, get } = yield* signedIn("root", "admin")
      yield* sql`UPDATE accounts SET role = 'user' WHERE id <> ${account.id}`
      const refused = yield* close()
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "This is the last administrator.")
      assert.isTrue(yield* exists(account.id))

      yield* sql`UPDATE accounts SET linked = true, password_hash = NULL WHERE id = ${account.id}`
      assert.strictEqual((yield* get("/account/close")).status, 403)
      assert.strictEqual((yield* close()).status, 403)
      assert.notInclude((yield* get("/account")).text, "/account/close")
    }))

  it.effect("with a new password can disconnect all apps, which else keep their access", () =>
    Effect.gen(function*() {
      const app = yield* approvedApp()
      const grants = yield* Grants
      const sql = yield* SqlClient.SqlClient
      const { account, get, post } = yield* signedIn("nora")
      yield* app.exchange(yield* app.code({ user: account.id }))
      const change = (current: string, password: string, more: Readonly<Record<string, string>> = {}) =>
        post("/account/password", { current, password, repeated: password, ...more })
      const [first, second] = ["a new and quite long phrase", "another and still longer phrase"] as const
      assert.strictEqual((yield* change(Redacted.value(password), first)).status, 303)
      assert.lengthOf(yield* grants.listLive(account.id), 1)
      assert.strictEqual((yield* change(first, second, { apps: "on" })).status, 303)
      assert.deepStrictEqual(yield* grants.listLive(account.id), [])
      assert.include((yield* get("/account")).text, "Your connected apps have lost their access.")
      const entries = yield* sql`SELECT actor, details FROM audit_log
        WHERE action = 'consent.withdrawn' AND user_id = ${account.id}`
      assert.deepStrictEqual(entries, [{ actor: account.id, details: { grants: 1 } }])
    }))
})
