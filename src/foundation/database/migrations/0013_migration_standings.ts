import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// What the migration board filters and sorts by, for each legacy client. `used_at` is the time of its last counted request:
// one that is later than `at` makes the row old.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE migration_standings (
    client_id text PRIMARY KEY REFERENCES clients ON DELETE CASCADE,
    verdict text NOT NULL,
    unscoped_requests bigint NOT NULL,
    unscoped_grants bigint NOT NULL,
    at timestamptz NOT NULL,
    used_at timestamptz
  )`
})
