import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Secrets that were made elsewhere may be short, and are guarded against guessing.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE client_secrets ADD COLUMN adopted boolean NOT NULL DEFAULT false`
  yield* sql`UPDATE client_secrets s SET adopted = true
    WHERE EXISTS (SELECT 1 FROM audit_log a WHERE a.client_id = s.client_id AND a.action = 'client.imported')
      AND NOT EXISTS (SELECT 1 FROM audit_log a
        WHERE a.client_id = s.client_id AND a.action = 'secret.generated' AND a.details->>'secretId' = s.id)`
})
