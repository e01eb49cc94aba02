import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// The role between user and administrator, and when the user of a session last proved who they are: when the session began,
// unless it says otherwise. The constraint only widens, so the rows that exist need no look.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE accounts DROP CONSTRAINT accounts_role_check,
    ADD CONSTRAINT accounts_role_check CHECK (role IN ('user', 'reviewer', 'admin')) NOT VALID`
  yield* sql`ALTER TABLE sessions ADD COLUMN authenticated_at timestamptz`
})
