import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Secrets that came with an import may be short. How long those of before are is known no more.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE client_secrets ADD COLUMN guessable boolean NOT NULL DEFAULT false`
  yield* sql`UPDATE client_secrets s SET guessable = true
    WHERE EXISTS (SELECT 1 FROM audit_log a WHERE a.client_id = s.client_id AND a.action = 'client.imported')
      AND NOT EXISTS (SELECT 1 FROM audit_log a
        WHERE a.client_id = s.client_id AND a.action = 'secret.generated' AND a.details->>'secretId' = s.id)`
})
