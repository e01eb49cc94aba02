import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Access tokens carry a MAC, whose keys are kept beside the others.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE server_keys DROP CONSTRAINT server_keys_purpose_check, ADD CONSTRAINT server_keys_purpose_check
    CHECK (purpose IN ('access-token', 'access-token-mac', 'refresh-token'))`
})
