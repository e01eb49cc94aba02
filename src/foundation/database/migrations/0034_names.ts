import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Two tables get names that say what they hold: the counts of all rate limits, not only those of wrong passwords, and
// refused requests. Servers of the commit before write through the views, which a later step drops.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE sign_in_failures RENAME TO rate_limits`
  yield* sql`ALTER TABLE rate_limits RENAME CONSTRAINT sign_in_failures_pkey TO rate_limits_pkey`
  yield* sql`ALTER INDEX sign_in_failures_expiry RENAME TO rate_limits_expiry`
  yield* sql`CREATE VIEW sign_in_failures AS SELECT subject, count, window_ends_at FROM rate_limits`

  yield* sql`ALTER TABLE rejections RENAME TO refused_requests`
  yield* sql`ALTER TABLE refused_requests RENAME CONSTRAINT rejections_pkey TO refused_requests_pkey`
  yield* sql`ALTER TABLE refused_requests RENAME CONSTRAINT rejections_client_id_fkey TO refused_requests_client_id_fkey`
  yield* sql`ALTER TABLE refused_requests RENAME CONSTRAINT rejections_endpoint_check TO refused_requests_endpoint_check`
  yield* sql`ALTER SEQUENCE rejections_id_seq RENAME TO refused_requests_id_seq`
  yield* sql`ALTER INDEX rejections_client RENAME TO refused_requests_client`
  yield* sql`ALTER INDEX rejections_at RENAME TO refused_requests_at`
  yield* sql`CREATE VIEW rejections AS
    SELECT id, client_id, at, endpoint, error, reason, times FROM refused_requests`
})
