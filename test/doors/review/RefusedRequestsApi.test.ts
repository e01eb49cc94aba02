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
  readonly times?: number
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

  it.effect("are filtered by error, endpoint and time, and come page by page, each cause once", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { id, owner, path } = yield* app
      const keep = (endpoint: string, error: string, reason: string, day: number) =>
        sql`INSERT INTO refused_requests (client_id, at, endpoint, error, reason, times, reference)
          VALUES (${id}, ${new Date(
          Date.UTC(2026, 2, day)
        )}, ${endpoint}, ${error}, ${reason}, 1, ${`${reason} ${day}`})`
      for (const day of [1, 2, 3]) {
        yield* keep("token", "invalid_grant", "one", day)
        yield* keep("authorize", "invalid_scope", "two", day)
        yield* keep("token", "invalid_scope", `day ${day}`, day)
      }
      const list = Effect.fnUntraced(function*(query: string) {
        const { body } = yield* owner.call<ReadonlyArray<Refused>>("GET", `${path}?${query}`)
        return body.data.map(({ reason, times }) => `${reason} x${times}`)
      })
      assert.deepStrictEqual(yield* list("error=invalid_scope"), ["day 3 x1", "two x3", "day 2 x1", "day 1 x1"])
      assert.deepStrictEqual(yield* list("error=invalid_scope&endpoint=authorize"), ["two x3"])
      assert.deepStrictEqual(yield* list("since=2026-03-02"), ["day 3 x1", "two x2", "one x2", "day 2 x1"])
      assert.deepStrictEqual(yield* list("since=2026-03-02T12:00:00Z&endpoint=token"), ["day 3 x1", "one x1"])
      assert.deepStrictEqual(yield* list("error=%00"), [])

      const seen: Array<string> = []
      const pageAt = (cursor: string): Effect.Effect<void> =>
        Effect.gen(function*() {
          const { body } = yield* owner.call<ReadonlyArray<Refused>>("GET", `${path}?limit=2${cursor}`)
          seen.push(...body.data.map(({ reason }) => reason))
          // It is on a page that was read, and comes on no other for it.
          yield* Effect.orDie(keep("authorize", "invalid_scope", "two", 4))
          if (typeof body.nextCursor === "string") yield* pageAt(`&cursor=${body.nextCursor}`)
        })
      yield* pageAt("")
      assert.deepStrictEqual(seen, ["day 3", "two", "one", "day 2", "day 1"])
      for (const wrong of ["cursor=mine", "since=yesterday", "endpoint=me", "limit=101", "limit=0"]) {
        assert.strictEqual((yield* owner.call("GET", `${path}?${wrong}`)).status, 400, wrong)
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
