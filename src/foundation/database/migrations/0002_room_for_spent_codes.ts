import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Each code is written twice, when it is issued and when it is spent: free space lets the second version stay in the
// page of the first.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE codes SET (fillfactor = 50)`
})
