import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// What browsers come back to after a sign-in: pages, and forms as their users had filled them in.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE continuations (
    id text PRIMARY KEY,
    location text NOT NULL,
    user_id text,
    action text,
    fields jsonb,
    expires_at timestamptz NOT NULL,
    CHECK ((user_id IS NULL) = (action IS NULL) AND (action IS NULL) = (fields IS NULL))
  )`
  yield* sql`CREATE INDEX continuations_user ON continuations (user_id) WHERE user_id IS NOT NULL`
  yield* sql`CREATE INDEX continuations_expiry ON continuations (expires_at)`
})
