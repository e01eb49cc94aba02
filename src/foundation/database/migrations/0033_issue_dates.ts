import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// The time at which another server issued the token of an imported grant, where its import said so; null for grants
// opened here.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE grants ADD COLUMN issued_at timestamptz`
})
