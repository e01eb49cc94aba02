import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Whether the identity provider vouches for the address of a linked account; apps get no other. Absent in local accounts that are
// older, whose addresses come from a mailed link or from the operator, and where the user has not signed in since this step.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE accounts ADD COLUMN email_verified boolean`
})
