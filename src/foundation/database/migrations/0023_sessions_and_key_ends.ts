import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// The end of an API key, the time of the mail that warned of it, and what tells the user one session from another.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE api_keys ADD COLUMN expires_at timestamptz, ADD COLUMN warned_at timestamptz`
  yield* sql`ALTER TABLE sessions ADD COLUMN user_agent text, ADD COLUMN address text`
})
