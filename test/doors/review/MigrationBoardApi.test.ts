import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { legacyApp } from "../../core/legacy/Scenario.ts"
import { layer as server } from "../../support/TestServer.ts"

layer(server(), { timeout: 60_000 })("The migration board by API", (it) => {
  it.effect("exports all apps as CSV, in which no name is run as a formula, and as JSON", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const app = yield* legacyApp
      yield* sql`UPDATE clients SET name = '=1+1, "really"' WHERE id = ${app.id}`
      yield* sql`INSERT INTO clients (id, owner_id, kind, legacy, status, name, purpose, website, redirect_uris, scopes,
          submitted_at, created_at, updated_at)
        SELECT 'bulk-' || n, ${app.owner.id}, 'public', true, 'approved', 'Bulk', 'Test', 'https://old.test',
          ARRAY['https://old.test/cb'], ARRAY[]::text[], now(), now(), now() FROM generate_series(1, 210) n`
      const query = `search=${app.owner.id}`
      const csv = yield* app.admin.get(`/v2/admin/legacy-clients/export?format=csv&${query}`)
      assert.match(csv.headers.get("content-type") ?? "", /^text\/csv/)
      assert.strictEqual(csv.headers.get("content-disposition"), "attachment; filename=\"legacy-apps.csv\"")
      const lines = csv.text.trimEnd().split("\r\n")
      assert.match(lines[0] ?? "", /^client_id,name,website,owner_id,owner_name,owner_email,verdict,/)
      assert.strictEqual(lines.length, 212)
      assert.isTrue(lines.some((line) => line.includes(`"'=1+1, ""really"""`)))
      const json = yield* app.admin.get(`/v2/admin/legacy-clients/export?format=json&${query}`)
      const clients = json.json["data"]
      assert.lengthOf(Array.isArray(clients) ? clients : [], 211)
      const none = yield* app.admin.get("/v2/admin/legacy-clients/export?format=json&search=nobody-at-all")
      assert.deepStrictEqual(none.json, { status: "success", data: [] })
    }))

  it.effect("previews and sends the mails to owners", () =>
    Effect.gen(function*() {
      const app = yield* legacyApp
      const path = "/v2/admin/legacy-clients/mails"
      const preview = yield* app.admin.get(`${path}?search=${app.id}`)
      assert.deepInclude(JSON.parse(preview.text), { status: "success" })
      assert.include(preview.text, `"owners":1,"apps":1`)
      assert.match(preview.text, /Please move \u201cOld Timer [0-9a-f]+\u201d to scopes/)
      const sent = yield* app.admin.call("POST", path, { search: app.id })
      assert.deepStrictEqual(JSON.parse(sent.text), { status: "success", data: { owners: 1, apps: 1 } })
      const again = yield* app.admin.call("POST", path, { search: app.id })
      assert.deepStrictEqual(JSON.parse(again.text), { status: "success", data: { owners: 0, apps: 0 } })
      assert.strictEqual((yield* app.owner.get(path)).status, 403)
    }))
})
