import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { registration } from "../../core/clients/Fixture.ts"
import { type App, caller, newAccount, Services } from "../portal/Scenario.ts"

interface Refused {
  readonly clientId?: string | null
  readonly userId?: string | null
  readonly reason: string
  readonly reference: string
}

/** An app of a caller, and what keeps a refused request of it, or of no app, about a user. */
const app = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const owner = yield* caller()
  const { id } = (yield* owner.call<App>("POST", "/v2/oauth-clients", registration)).body.data
  const user = yield* newAccount()
  const keep = (clientId: string | null, reference: string) =>
    sql`INSERT INTO refused_requests (client_id, user_id, at, endpoint, error, reason, times, reference)
      VALUES (${clientId}, ${user.id}, now(), 'token', 'invalid_grant', ${`why ${reference}`}, 1, ${reference})`
  return { id, keep, owner, user, path: `/v2/oauth-clients/${id}/refused-requests` }
})

layer(Services)("refused requests by API", (it) => {
  it.effect("are those of an own app to its owner, without the user", () =>
    Effect.gen(function*() {
      const { id, keep, owner, path, user } = yield* app
      const other = yield* app
      yield* keep(id, "first")
      yield* keep(id, "second")
      yield* other.keep(other.id, "second")
      const { body } = yield* owner.call<ReadonlyArray<Refused>>("GET", path)
      assert.deepStrictEqual(body.data.map(({ reference }) => reference), ["second", "first"])
      const found = (yield* owner.call<ReadonlyArray<Refused>>("GET", `${path}?reference=second`)).body.data
      assert.deepStrictEqual(found.map(({ reason }) => reason), ["why second"])
      assert.notInclude(JSON.stringify(body), user.id)
      assert.notInclude(JSON.stringify(body), "userId")
      assert.deepStrictEqual((yield* owner.call("GET", `${path}?reference=none`)).body.data, [])
      assert.strictEqual((yield* owner.call("GET", other.path)).status, 404)
      for (const all of ["/v2/admin/refused-requests?reference=second", path.replace("/v2/", "/v2/admin/")]) {
        assert.strictEqual((yield* owner.call("GET", all)).status, 403, all)
        assert.strictEqual((yield* (yield* caller("reviewer")).call("GET", all)).status, 403, all)
      }
    }))

  it.effect("are those of all apps, and of none, to support, with the user", () =>
    Effect.gen(function*() {
      const admin = yield* caller("admin")
      const { id, keep, user } = yield* app
      const reference = `of ${id}`
      yield* keep(id, reference)
      yield* keep(null, reference)
      const find = (path: string) =>
        Effect.map(admin.call<ReadonlyArray<Refused>>("GET", path), ({ body }) => body.data)
      const found = yield* find(`/v2/admin/refused-requests?reference=${encodeURIComponent(reference)}`)
      assert.deepStrictEqual(found.map(({ clientId, userId }) => [clientId, userId]), [[null, user.id], [id, user.id]])
      const listed = yield* find(`/v2/admin/oauth-clients/${id}/refused-requests`)
      assert.deepStrictEqual(listed.map((one) => [one.reference, one.userId]), [[reference, user.id]])
      assert.deepStrictEqual(yield* find("/v2/admin/refused-requests?reference=none"), [])
      assert.deepStrictEqual(yield* find("/v2/admin/refused-requests?reference=%00"), [])
    }))

  it.effect("are searched by any text without trouble", () =>
    Effect.gen(function*() {
      const { owner, path } = yield* app
      for (const reference of ["%00", "%25", "'", "%ED%A0%80"]) {
        assert.strictEqual((yield* owner.call("GET", `${path}?reference=${reference}`)).status, 200, reference)
      }
    }))
})
