import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// The trace that a job continues (W3C Trace Context): that of the change from which it follows.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE outbox ADD COLUMN traceparent text`
})
