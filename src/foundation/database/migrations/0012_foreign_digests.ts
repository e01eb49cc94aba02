import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// The slow digest under which another server kept a secret, until its first use here. Until then the column `digest` holds
// random bytes, which are the digest of nothing that anybody knows.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE client_secrets ADD COLUMN foreign_digest text`
})
