import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// A refused request is found by the reference that its page showed, with the person it was about; one that names no app
// of this server is kept, too. Servers of the release before write and read the rows as they did: without a reference.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE refused_requests ALTER COLUMN client_id DROP NOT NULL`
  yield* sql`ALTER TABLE refused_requests ADD COLUMN reference text, ADD COLUMN user_id text`
})
