import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Imported secrets may be short. The length of secrets stored earlier is unknown, so all that may have been imported
// count as guessable.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE client_secrets ADD COLUMN guessable boolean NOT NULL DEFAULT false`
  yield* sql`UPDATE client_secrets s SET guessable = true
    WHERE EXISTS (SELECT 1 FROM audit_log a WHERE a.client_id = s.client_id AND a.action = 'client.imported')
      AND NOT EXISTS (SELECT 1 FROM audit_log a
        WHERE a.client_id = s.client_id AND a.action = 'secret.generated' AND a.details->>'secretId' = s.id)`
})
