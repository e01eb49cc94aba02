import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The share of dead rows from which a table is vacuumed, where PostgreSQL's default of a fifth comes too late:
 *
 * - `grants`: a fifth of fifty million rows would be ten million dead ones, and the index on `expires_at` keeps the
 *   entries of what the sweeps deleted until then.
 * - `codes`, `authorization_requests`, `sessions`, `sign_in_failures`: every row dies after minutes or days, so the
 *   table is mostly garbage between two runs. Codes are vacuumed without pauses: thousands die in a second.
 * - `outbox`: the relay looks twice a second through an index that each finished job leaves a dead entry in, beside a
 *   week of finished jobs that would count as a fifth.
 * - `audit_log`: rows are only added and, long after, deleted in their order; old pages are frozen as it grows, not all
 *   of them at once.
 *
 * Setting these waits for no reader or writer, and rewrites nothing. PGlite keeps them, but has no process that vacuums.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE grants SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`
  yield* sql`ALTER TABLE codes SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0)`
  yield* sql`ALTER TABLE sessions SET (autovacuum_vacuum_scale_factor = 0.05)`
  yield* sql`ALTER TABLE authorization_requests SET (autovacuum_vacuum_scale_factor = 0.05)`
  yield* sql`ALTER TABLE sign_in_failures SET (autovacuum_vacuum_scale_factor = 0.05)`
  yield* sql`ALTER TABLE outbox SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000)`
  yield* sql`ALTER TABLE audit_log SET (
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05)`
})
