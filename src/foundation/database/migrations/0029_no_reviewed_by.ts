import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// No release has written or read the column: who reviewed an app is in the audit log.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE clients DROP COLUMN reviewed_by`
})
