import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// What a review looks at beside the app itself. Servers of the release before know nothing of it.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // What the website of an app answered when a worker, or a reviewer, last asked it.
  yield* sql`CREATE TABLE website_looks (
    client_id text PRIMARY KEY REFERENCES clients ON DELETE CASCADE,
    url text NOT NULL,
    at timestamptz NOT NULL,
    outcome text NOT NULL,
    status integer,
    -- Host that gave the answer, where redirects led to another.
    host text
  )`

  // Apps that came approved have the time of that as if somebody had reviewed them: an import before it was observed,
  // a demo app when it was made. A decision of a person is later, and in the trail unless it is very old.
  yield* sql`UPDATE clients SET reviewed_at = NULL
    WHERE reviewed_at IS NOT NULL
      AND (reviewed_at = created_at OR (legacy OR migrated_at IS NOT NULL) AND reviewed_at <= observed_since)
      AND NOT EXISTS (SELECT FROM audit_log WHERE audit_log.client_id = clients.id AND actor <> 'slotkey' AND action IN
        ('client.approved', 'client.rejected', 'client.change_approved', 'client.change_rejected'))`
})
