import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Finds the actions of administrators and owners among the thousands of consents that the users of an app gave.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP INDEX audit_log_client`
  yield* sql`CREATE INDEX audit_log_client ON audit_log (client_id, action, id)`
})
