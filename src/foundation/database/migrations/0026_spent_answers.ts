import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// The requests to the platform's sign-in page that were answered, by the digest of their nonce: each is answered once.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE spent_answers (digest bytea PRIMARY KEY, expires_at timestamptz NOT NULL)`
  yield* sql`CREATE INDEX spent_answers_expiry ON spent_answers (expires_at)`
})
