import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Each code is written twice, when it is issued and when it is spent; the second row stays in the page of the first.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE codes SET (fillfactor = 50)`
})
