import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Facts for the verdict on a legacy client. Its requests are counted since `observed_since`: for the clients that exist,
// since this step. Refusals after the scopes were saved are counted by cause; those of no scope are the rest of `requests`.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE clients ADD COLUMN observed_since timestamptz NOT NULL DEFAULT now()`
  yield* sql`ALTER TABLE legacy_refusals ADD COLUMN refused_scopes bigint NOT NULL DEFAULT 0,
    ADD COLUMN refused_calls bigint NOT NULL DEFAULT 0, ADD COLUMN superseded_grants bigint NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE migration_audits DROP CONSTRAINT migration_audits_verdict_check,
    ADD CONSTRAINT migration_audits_verdict_check CHECK (
      verdict IN ('not-started', 'url-without-scope', 'unknown-words', 'too-early', 'safe-to-save', 'migrated')
    ) NOT VALID`
})
