import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { parse } from "node-html-parser"
import { newAccount } from "../../core/clients/Scenario.ts"
import { visitor } from "../../core/legacy/Scenario.ts"
import { layer as server } from "../../support/TestServer.ts"

/** An owner of many apps, of which several were created at one time. */
const ownerOf = Effect.fnUntraced(function*(apps: number) {
  const sql = yield* SqlClient.SqlClient
  const owner = yield* Effect.flatMap(newAccount("many"), visitor)
  yield* sql`INSERT INTO clients (id, owner_id, kind, legacy, status, name, purpose, website, redirect_uris, scopes,
      submitted_at, created_at, updated_at)
    SELECT ${owner.id} || '-' || n, ${owner.id}, 'public', true, 'approved', 'App ' || n, 'Test', 'https://old.test',
      ARRAY['https://old.test/cb'], ARRAY[]::text[], now(),
      timestamptz '2026-01-01T00:00:00.000001Z' + (n / 4) * interval '1 microsecond', now()
    FROM generate_series(1, ${apps}) n`
  return owner
})

const rows = (page: string) => page.split("<th scope=\"row\">").length - 1

/** Address of the next page, as a browser reads it. */
const nextOf = (page: string) => parse(page).querySelector("a[rel=next]")?.getAttribute("href") ?? ""

layer(server(), { timeout: 60_000 })("the list of one's own apps", (it) => {
  it.effect("has pages in the API, which together name every app once", () =>
    Effect.gen(function*() {
      const owner = yield* ownerOf(260)
      const seen: Array<unknown> = []
      let path = "/v2/oauth-clients"
      for (const expected of [250, 10]) {
        const { json } = yield* owner.get(path)
        const data = json["data"]
        assert.isTrue(Array.isArray(data))
        if (!Array.isArray(data)) return
        assert.lengthOf(data, expected)
        seen.push(...data.map(({ id }: { id: string }) => id))
        path = `/v2/oauth-clients?cursor=${String(json["nextCursor"])}`
      }
      assert.strictEqual(new Set(seen).size, 260)
      assert.strictEqual((yield* owner.get("/v2/oauth-clients?limit=260")).status, 400)
      const last = yield* owner.get("/v2/oauth-clients?limit=250")
      assert.isString(last.json["nextCursor"])
      const refused = yield* owner.get("/v2/oauth-clients?cursor=made-up")
      assert.strictEqual(refused.status, 400)
      assert.include(refused.text, "invalid_cursor")
    }))

  it.effect("has no next page when all apps are on the first", () =>
    Effect.gen(function*() {
      const owner = yield* ownerOf(3)
      const { json } = yield* owner.get("/v2/oauth-clients")
      assert.isNull(json["nextCursor"])
      assert.notInclude((yield* owner.get("/settings/apps")).text, "Next page")
    }))

  it.effect("has pages in the settings", () =>
    Effect.gen(function*() {
      const owner = yield* ownerOf(60)
      const first = (yield* owner.get("/settings/apps")).text
      assert.strictEqual(rows(first), 25)
      const second = (yield* owner.get(nextOf(first))).text
      assert.strictEqual(rows(second), 25)
      assert.include(second, "First page")
      assert.strictEqual(rows((yield* owner.get(nextOf(second))).text), 10)
      assert.strictEqual(rows((yield* owner.get("/settings/apps?cursor=made-up")).text), 25)
    }))

  it.effect("is searched by name, website and ID, page by page, and by nothing else", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* ownerOf(60)
      yield* ownerOf(3)
      const found = (search: string) =>
        Effect.map(owner.get(`/settings/apps?${String(new URLSearchParams({ search }))}`), ({ text }) => text)
      // App 5 and 50 to 59.
      assert.strictEqual(rows(yield* found("app 5")), 11)
      assert.strictEqual(rows(yield* found(`${owner.id}-7`)), 1)
      assert.strictEqual(rows(yield* found(`${owner.id}-`)), 0)
      for (const pattern of ["%", "_", "App\\ 5", "\u0007"]) {
        const page = yield* found(pattern)
        assert.strictEqual(rows(page), 0, pattern)
        assert.include(page, "None of your apps")
      }
      const first = yield* found("OLD.test")
      assert.strictEqual(rows(first), 25)
      const next = nextOf(first)
      assert.include(next, "search=OLD.test")
      assert.strictEqual(rows((yield* owner.get(next)).text), 25)
      yield* sql`UPDATE clients SET name = 'Night Owl' WHERE id = ${`${owner.id}-8`}`
      assert.strictEqual(rows(yield* found("night")), 1)
    }))

  it.effect("shows the figures of each app, and what there is to do", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* ownerOf(25)
      yield* sql`INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at)
        SELECT gen_random_uuid(), '', ${`${owner.id}-1`}, 'user-' || n, '{}', now(), now(), now() + interval '1 day'
        FROM generate_series(1, 3) n`
      const page = parse((yield* owner.get("/settings/apps?search=App+1")).text)
      const row = page.querySelectorAll("tbody tr").find((row) => row.querySelector("a")?.text === "App 1")
      assert.strictEqual(row?.querySelector("td[data-label=Users]")?.text, "3")
      assert.include(row?.text, "Move it to scopes")
    }))
})
