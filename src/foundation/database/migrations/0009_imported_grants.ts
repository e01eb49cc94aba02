import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Grants that were taken over from another server, by whether that server rotated refresh tokens; null for those opened
// here. What was imported earlier counts as not rotated: an app that rotates loses nothing by it.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE grants ADD COLUMN imported_rotates boolean`
  yield* sql`UPDATE grants g SET imported_rotates = false FROM imported_refresh_tokens t WHERE t.grant_id = g.id`
})
