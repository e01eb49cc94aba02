import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// What the pages that a session is sent to next have to say about what was just done.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE sessions ADD COLUMN notices jsonb`
})
