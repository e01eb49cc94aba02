import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// What administrators and owners did to an app is found among the thousands of consents that its users gave.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP INDEX audit_log_client`
  yield* sql`CREATE INDEX audit_log_client ON audit_log (client_id, action, id)`
})
