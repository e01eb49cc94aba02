import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { layer as server } from "../../../support/TestServer.ts"
import { legacyApp } from "../Scenario.ts"

layer(server({ SESSION_LIFETIME: "400 days" }), { timeout: 60_000 })("A legacy client", (it) => {
  it.effect("stands on the board, and its owner is written to once a week at most", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const app = yield* legacyApp
      const ann = yield* app.user
      yield* app.connect(ann)
      yield* TestClock.adjust("1 day")
      yield* app.authorize(ann)
      yield* app.connect(yield* app.user, "PROFILE_READ")
      const mails = Effect.map(
        sql`SELECT 1 FROM outbox WHERE queue = 'review-notices' AND payload->>'clientId' = ${app.id}`,
        (rows) => rows.length
      )
      const board = (yield* app.admin.get("/review/migration")).text
      assert.include((yield* app.admin.get("/review/migration?page=9")).text, "Old Timer")
      assert.include(board, "Old Timer")
      assert.include(board, "URL still without scope: do not save scopes yet")
      assert.match(
        board,
        /<svg class="trend" role="img"[^>]*aria-label="0 of 0 requests without scope, then 2 of 3 requests without scope"/
      )
      assert.notInclude(board, "style=")
      assert.match((yield* app.admin.post("/review/migration/mail", {})).headers.get("location") ?? "", /asked=[1-9]/)
      assert.strictEqual(yield* mails, 1)
      assert.strictEqual(
        (yield* app.admin.post("/review/migration/mail", {})).headers.get("location"),
        "/review/migration?asked=0"
      )
      yield* TestClock.adjust("8 days")
      yield* app.admin.post("/review/migration/mail", {})
      assert.strictEqual(yield* mails, 2)
      yield* app.owner.call("PATCH", app.path, { scopes: ["PROFILE_READ"], breakOldUrls: true })
      yield* TestClock.adjust("8 days")
      yield* app.admin.post("/review/migration/mail", {})
      assert.strictEqual(yield* mails, 2)
      assert.include((yield* app.admin.get("/review/migration?state=migrated")).text, app.id.slice(0, 8))
    }))
})
