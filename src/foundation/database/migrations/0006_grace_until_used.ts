import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// The latest generation of a grant that was seen in use, and how long an app's replaced refresh tokens are answered. A
// column with a constant default is added without rewriting the table.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE grants ADD COLUMN used_generation integer NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE clients ADD COLUMN refresh_grace text NOT NULL DEFAULT 'until-used'
    CHECK (refresh_grace IN ('until-used', 'short'))`
  yield* sql`UPDATE clients SET refresh_grace = 'short' WHERE kind = 'public'`
})
