import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// The oldest schema whose code can run on this one: `contracts` in index.ts, which each migration writes from here on.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE slotkey_migrations ADD COLUMN compatible_from integer`
})
