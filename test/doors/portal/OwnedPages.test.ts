import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
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
      const rows = (page: string) => page.split("<small class=\"muted\">public").length - 1
      assert.strictEqual(rows(first), 50)
      const next = /href="([^"]*)" rel="next"/.exec(first)?.[1] ?? ""
      const second = (yield* owner.get(next)).text
      assert.strictEqual(rows(second), 10)
      assert.include(second, "First page")
      assert.strictEqual(rows((yield* owner.get("/settings/apps?cursor=made-up")).text), 50)
    }))
})
