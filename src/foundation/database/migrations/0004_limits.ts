import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Indexes for rows that expire or are capped in number.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX api_keys_revoked ON api_keys (revoked_at) WHERE revoked_at IS NOT NULL`
  yield* sql`CREATE INDEX authorization_requests_session ON authorization_requests (session_digest, expires_at)`
})
