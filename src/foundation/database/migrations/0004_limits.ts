import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// What is kept only for a while, or so many of, is found without reading the rest.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX api_keys_revoked ON api_keys (revoked_at) WHERE revoked_at IS NOT NULL`
  yield* sql`CREATE INDEX authorization_requests_session ON authorization_requests (session_digest, expires_at)`
})
