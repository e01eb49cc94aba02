import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// The audit log and the jobs.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // Rows are only added and, long after, deleted in their order; old pages are frozen as the table grows, not all at
  // once.
  yield* sql`CREATE TABLE audit_log (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    client_id text,
    user_id text,
    grant_id uuid,
    details jsonb NOT NULL DEFAULT '{}'
  ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05)`
  // Finds the actions of administrators and owners among the thousands of consents that the users of an app gave.
  yield* sql`CREATE INDEX audit_log_client ON audit_log (client_id, action, id)`
  yield* sql`CREATE INDEX audit_log_user ON audit_log (user_id, id)`

  // A job is open until it is done or dead; only the first open job of each queue and subject is enqueued. The relay
  // looks twice a second through an index that each finished job leaves a dead entry in, beside a week of finished jobs
  // that would count as a fifth.
  yield* sql`CREATE TABLE outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    queue text NOT NULL,
    subject text NOT NULL,
    payload jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    enqueued_at timestamptz,
    done_at timestamptz,
    dead_at timestamptz,
    cause text,
    replayed_at timestamptz,
    -- The trace that a job continues (W3C Trace Context), which is the one of the change from which it follows.
    traceparent text
  ) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000)`
  yield* sql`CREATE INDEX outbox_waiting ON outbox (id)
    WHERE enqueued_at IS NULL AND done_at IS NULL AND dead_at IS NULL`
  yield* sql`CREATE INDEX outbox_enqueued ON outbox (enqueued_at)
    WHERE enqueued_at IS NOT NULL AND done_at IS NULL AND dead_at IS NULL`
  yield* sql`CREATE INDEX outbox_open ON outbox (queue, subject, id) WHERE done_at IS NULL AND dead_at IS NULL`
  yield* sql`CREATE INDEX outbox_dead ON outbox (id) WHERE dead_at IS NOT NULL`
  yield* sql`CREATE INDEX outbox_done ON outbox (done_at)`

  // The recipients that a job has told, so that its next attempt tells only the others.
  yield* sql`CREATE TABLE deliveries (
    outbox_id bigint NOT NULL REFERENCES outbox ON DELETE CASCADE,
    recipient text NOT NULL,
    delivered_at timestamptz NOT NULL,
    PRIMARY KEY (outbox_id, recipient)
  )`
})
