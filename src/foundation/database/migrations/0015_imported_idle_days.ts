import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// The idle lifetime that an import set for a grant, in days; null where it set none, and for grants opened here, which
// have that of the settings.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE grants ADD COLUMN idle_days integer`
})
