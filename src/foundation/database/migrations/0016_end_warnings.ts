import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// The last mail that told the owner of an app that grants of it, which were imported, are about to end.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE end_warnings (
    client_id text PRIMARY KEY REFERENCES clients ON DELETE CASCADE,
    warned_at timestamptz NOT NULL
  )`
})
