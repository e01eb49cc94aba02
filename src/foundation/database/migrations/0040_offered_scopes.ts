import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// What users are offered to decline is kept with the question, so that their answer means what they saw. Servers of the
// release before offer nothing, and leave it null.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE authorization_requests ADD COLUMN offered text[]`
})
