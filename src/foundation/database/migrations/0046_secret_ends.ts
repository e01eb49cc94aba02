import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Secrets that end at a date, and those that replace a leaked one. Servers of the release before know neither: for them
// a secret works until it is deleted, which a sweep of this release does soon after its end.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE client_secrets
    -- Null for one without an end. The last secret of a client outlives its end: it is overdue then.
    ADD COLUMN ends_at timestamptz,
    -- When the owner last chose the end, or was reminded of it.
    ADD COLUMN end_reminded_at timestamptz,
    -- The secret itself, encrypted under the master key, until its owner has seen it.
    ADD COLUMN sealed text`
})
