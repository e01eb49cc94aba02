import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { Role } from "../../../src/core/accounts/people/Account.ts"
import { ApiKeys } from "../../../src/core/accounts/people/ApiKeys.ts"
import { newAccount } from "../../core/clients/Scenario.ts"
import { visitor } from "../../core/legacy/Scenario.ts"
import { layer as server, serverClient } from "../../support/TestServer.ts"

const as = (role: Role) => Effect.flatMap(newAccount(role, role), visitor)
const roleOf = Effect.fnUntraced(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`SELECT role, disabled_at IS NOT NULL AS disabled FROM accounts WHERE id = ${id}`)[0]
})

layer(server(), { timeout: 60_000 })("/users", (it) => {
  it.effect("is for administrators alone", () =>
    Effect.gen(function*() {
      const admin = yield* as("admin")
      const victim = yield* newAccount("victim")
      const path = `/users/${victim}`
      assert.include((yield* admin.get("/")).text, `<a href="/users">Users</a>`)
      for (const role of ["user", "reviewer"] as const) {
        const other = yield* as(role)
        assert.notInclude((yield* other.get("/")).text, `href="/users"`)
        for (const page of ["/users", path, `${path}/role?role=admin`, `${path}/disable`]) {
          assert.strictEqual((yield* other.get(page)).status, 403)
        }
        assert.strictEqual((yield* other.post(`${path}/role`, { role: "admin" })).status, 403)
        assert.strictEqual((yield* other.post(`${path}/disable`, {})).status, 403)
        assert.strictEqual((yield* other.call("GET", "/v2/admin/users")).status, 403)
        assert.strictEqual((yield* other.call("PATCH", `/v2/admin/users/${victim}`, { role: "admin" })).status, 403)
      }
      assert.deepStrictEqual(yield* roleOf(victim), { role: "user", disabled: false })
    }))

  it.effect("finds users by part of their name or address, and by role, a hundred on a page", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const admin = yield* as("admin")
      yield* sql`INSERT INTO accounts (id, email, username, name, role, created_at)
        SELECT 'many' || n, 'many' || n || '@crowd.test', 'many' || n, 'Crowd ' || n, CASE WHEN n < 3 THEN 'reviewer' ELSE 'user' END,
          timestamptz '2026-01-01' + n * interval '1 second' FROM generate_series(1, 101) n`
      const first = (yield* admin.get("/users?search=CROWD.test")).text
      assert.include(first, "101 users")
      assert.include(first, "Crowd 100<")
      assert.notInclude(first, "Crowd 101<")
      assert.include(first, "Page 1 of 2")
      assert.include(first, "href=\"/users?search=CROWD.test&amp;page=2\"")
      assert.include((yield* admin.get("/users?search=CROWD.test&page=2")).text, "Crowd 101<")
      const reviewers = (yield* admin.get("/users?search=crowd&role=reviewer")).text
      assert.include(reviewers, "2 users")
      assert.include((yield* admin.get("/users?search=nobody-like-this")).text, "No users match.")
      for (const query of ["?role=x&page=-1", "?page=abc", "?page=1e999", "?search=%00", "?search=%25"]) {
        assert.strictEqual((yield* admin.get(`/users${query}`)).status, 200, query)
      }
      for (const id of ["nobody", "%00"]) assert.strictEqual((yield* admin.get(`/users/${id}`)).status, 404)
    }))

  it.effect("changes a role after a confirmation, counts from the next request on, and says who did it", () =>
    Effect.gen(function*() {
      const admin = yield* as("admin")
      const user = yield* as("user")
      const { key } = yield* (yield* ApiKeys).create(user.id, "script", user.id)
      const { ask } = yield* serverClient
      const byKey = ask("/v2/admin/oauth-clients", { headers: { authorization: `Bearer ${Redacted.value(key)}` } })
      const path = `/users/${user.id}`
      assert.strictEqual((yield* user.get("/review")).status, 403)
      assert.strictEqual((yield* byKey).status, 403)
      const promotion = (yield* admin.get(`${path}/role?role=reviewer`)).text
      assert.include(promotion, "Make <bdi>user</bdi> a reviewer?")
      assert.match(promotion, /<button>Make them a reviewer<\/button>\s*<a href="[^"]*">Cancel<\/a>/)
      assert.strictEqual((yield* admin.get(`${path}/role?role=user`)).headers.get("location"), path)
      assert.strictEqual((yield* admin.post(`${path}/role`, { role: "owner" })).headers.get("location"), path)
      assert.strictEqual((yield* admin.post(`${path}/role`, { role: "reviewer" })).headers.get("location"), path)
      const shown = (yield* admin.get(path)).text
      assert.include(shown, "The role is changed: reviewer from now on.")
      assert.match(
        shown,
        /<td class="free"><bdi>admin<\/bdi><\/td><td>changed the role<\/td><td class="lines free">Role: <code>reviewer</
      )
      assert.strictEqual((yield* user.get("/review")).status, 200)
      assert.strictEqual((yield* byKey).status, 200)
      const demotion = (yield* admin.get(`${path}/role?role=user`)).text
      assert.match(demotion, /<button class="danger">Change the role<\/button>\s*<a href="[^"]*">Cancel<\/a>/)
      yield* admin.post(`${path}/role`, { role: "user" })
      assert.strictEqual((yield* user.get("/review")).status, 403)
      assert.strictEqual((yield* byKey).status, 403)
    }))

  it.effect("disables an account and enables it again", () =>
    Effect.gen(function*() {
      const admin = yield* as("admin")
      const user = yield* as("user")
      const path = `/users/${user.id}`
      const question = (yield* admin.get(`${path}/disable`)).text
      assert.include(question, "No app acts for them.")
      assert.include(question, "their API keys are refused until the account is enabled again")
      yield* admin.post(`${path}/disable`, {})
      assert.deepStrictEqual(yield* roleOf(user.id), { role: "user", disabled: true })
      assert.match((yield* user.get("/account")).headers.get("location") ?? "", /^\/sign-in/)
      assert.include((yield* admin.get(path)).text, "Enable the account")
      yield* admin.post(`${path}/enable`, {})
      assert.deepStrictEqual(yield* roleOf(user.id), { role: "user", disabled: false })
      assert.include((yield* admin.get(path)).text, "API keys that were not revoked work again")
    }))

  it.effect("keeps the last administrator, and leads one who gave up the role to their account", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE accounts SET role = 'user' WHERE role = 'admin'`
      const admin = yield* as("admin")
      const path = `/users/${admin.id}`
      const refused = yield* admin.post(`${path}/role`, { role: "user" })
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "This is the last administrator. Appoint another one first.")
      assert.strictEqual((yield* admin.post(`${path}/disable`, {})).status, 409)
      const api = yield* admin.call("PATCH", `/v2/admin/users/${admin.id}`, { disabled: true })
      assert.strictEqual(api.status, 409)
      assert.deepStrictEqual(yield* roleOf(admin.id), { role: "admin", disabled: false })
      yield* newAccount("heir", "admin")
      assert.include((yield* admin.get(`${path}/role?role=user`)).text, "This is your own account")
      assert.strictEqual((yield* admin.post(`${path}/role`, { role: "user" })).headers.get("location"), "/account")
      assert.strictEqual((yield* admin.get("/users")).status, 403)
      assert.strictEqual((yield* admin.call("GET", "/v2/admin/users")).status, 403)
    }))
})
