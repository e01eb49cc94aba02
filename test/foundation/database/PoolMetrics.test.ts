import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { total } from "../../support/Metrics.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

const used = total("slotkey_database_connections", { state: "used" })
const waits = total("slotkey_database_connection_wait_seconds_count")

layer(TestDatabase.layer)("The connections to the database", (it) => {
  it.effect("are shown as used while they are, with how long was waited for each", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const before = yield* waits
      assert.strictEqual(yield* used, 0)
      assert.strictEqual(yield* sql.withTransaction(Effect.andThen(sql`SELECT 1`, used)), 1)
      assert.strictEqual(yield* used, 0)
      assert.isAtLeast(yield* total("slotkey_database_connections", { state: "idle" }), 1)
      assert.isAtLeast(yield* waits, before + 1)
      yield* Effect.exit(sql.withTransaction(Effect.fail("rolled back")))
      assert.strictEqual(yield* used, 0)
    }))
})
