import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Decisions that their reviewers may take back, and jobs that wait so long. Servers of the release before write none of
// it and hand out jobs before they are due: meanwhile a decision may be undone whose mail is sent already.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // When the job is due; null for at once.
  yield* sql`ALTER TABLE outbox ADD COLUMN due_at timestamptz`

  // Kept for a day: the audit log has the history.
  yield* sql`CREATE TABLE review_decisions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    reviewer text NOT NULL,
    kind text NOT NULL,
    at timestamptz NOT NULL,
    -- Until when it may be taken back.
    until timestamptz NOT NULL,
    version_before integer NOT NULL,
    version_after integer NOT NULL,
    -- The app as it was.
    before jsonb NOT NULL,
    -- Jobs that wait until then.
    notices bigint[] NOT NULL DEFAULT '{}',
    undone_at timestamptz
  )`
  yield* sql`CREATE INDEX review_decisions_client ON review_decisions (client_id, id)`
  yield* sql`CREATE INDEX review_decisions_reviewer ON review_decisions (reviewer, until)`

  // First approvals of apps that need two (REVIEW_TWO_PEOPLE). One of another version than the app has means nothing.
  yield* sql`CREATE TABLE review_approvals (
    client_id text PRIMARY KEY REFERENCES clients ON DELETE CASCADE,
    version integer NOT NULL,
    reviewer text NOT NULL,
    at timestamptz NOT NULL,
    -- Scopes that the reviewer left out.
    without text[] NOT NULL
  )`
})
