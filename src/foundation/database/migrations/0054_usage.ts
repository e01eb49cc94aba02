import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Calls, counted. Servers of the release before count none: the day on which they end is one on which use was missed.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // Sums that servers hand over, in the order in which they come. The worker adds them to the tables below and deletes
  // them. A slice is the hours in which grants were opened, by their UUIDv7, so that rows lie together that are written
  // together; clients are in slices below 0. Nothing is compressed, because every row lives for minutes.
  yield* sql`CREATE TABLE usage_batches (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slice integer NOT NULL,
    at timestamptz NOT NULL,
    counts text NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0.05)`
  yield* sql`ALTER TABLE usage_batches ALTER COLUMN counts SET STORAGE EXTERNAL`
  yield* sql`CREATE INDEX usage_batches_slice ON usage_batches (slice, id)`

  // Ids of what was handed over, so that what is sent again counts once.
  yield* sql`CREATE TABLE usage_received (
    sender text NOT NULL,
    batch uuid NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (sender, batch)
  )`
  yield* sql`CREATE INDEX usage_received_at ON usage_received (at)`

  // Rights of a grant by what calls needed: first and last use, and a number for each week
  // (src/core/usage/RightUses.ts). It changes without an index, so the update stays heap-only. It goes with the grant
  // by a trigger: a foreign key would lock the grant's row when the first use is written, and a refresh waits for that.
  yield* sql`CREATE TABLE grant_uses (
    grant_id uuid PRIMARY KEY,
    rights json NOT NULL
  ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)`
  yield* sql`CREATE FUNCTION forget_grant_uses() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      DELETE FROM grant_uses WHERE grant_id IN (SELECT id FROM gone);
      RETURN NULL;
    END $$`
  yield* sql`CREATE TRIGGER grant_uses_gone AFTER DELETE ON grants REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION forget_grant_uses()`

  // Calls of apps by day: by what they needed, and by operation.
  yield* sql`CREATE TABLE client_needs (
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    day date NOT NULL,
    need text NOT NULL,
    outcome text NOT NULL,
    calls bigint NOT NULL,
    PRIMARY KEY (client_id, day, need, outcome)
  )`
  yield* sql`CREATE INDEX client_needs_day ON client_needs (day)`
  yield* sql`CREATE TABLE client_operations (
    client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
    day date NOT NULL,
    operation text NOT NULL,
    outcome text NOT NULL,
    calls bigint NOT NULL,
    PRIMARY KEY (client_id, day, operation, outcome)
  )`
  yield* sql`CREATE INDEX client_operations_day ON client_operations (day)`

  // Calls of legacy apps were counted among their requests before, by what they needed or by cause and operation. What
  // was counted of the last weeks is evidence still; the rows themselves are swept with the others.
  yield* sql`INSERT INTO client_needs (client_id, day, need, outcome, calls)
    SELECT client_id, day, CASE WHEN starts_with(scope, 'call ') THEN substr(scope, 6) ELSE '' END,
      CASE WHEN starts_with(scope, 'call ') THEN 'unrestricted' ELSE split_part(scope, ' ', 2) END, sum(requests)
    FROM legacy_authorizations
    WHERE (starts_with(scope, 'call ') OR starts_with(scope, 'refused ')) AND day > current_date - 31
    GROUP BY 1, 2, 3, 4`
  yield* sql`INSERT INTO client_operations (client_id, day, operation, outcome, calls)
    SELECT client_id, day, substr(scope, length('refused ' || split_part(scope, ' ', 2)) + 2),
      split_part(scope, ' ', 2), requests
    FROM legacy_authorizations
    WHERE scope LIKE 'refused % %' AND day > current_date - 31`

  // Days on which calls were not counted, with their number where it is known: nothing is called unused for them.
  yield* sql`CREATE TABLE usage_gaps (
    day date NOT NULL,
    reason text NOT NULL,
    calls bigint NOT NULL,
    PRIMARY KEY (day, reason)
  )`
  // They go on for a while beside the new ones, perhaps past midnight. Nothing happened before in a new database.
  yield* sql`INSERT INTO usage_gaps (day, reason, calls)
    SELECT ((clock_timestamp() + interval '6 hours') AT TIME ZONE 'UTC')::date, 'before', 0
    WHERE EXISTS (SELECT FROM clients)`
})
