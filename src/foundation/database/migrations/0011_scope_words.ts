import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Words that a client's old server took in `scope`.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE clients ADD COLUMN scope_words text[] NOT NULL DEFAULT '{}'`
})
