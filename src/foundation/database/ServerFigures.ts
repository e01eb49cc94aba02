import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/** Sessions that the database server has, of whatever program, and those that programs may have at most. */
export const sessions: Effect.Effect<
  { readonly open: number; readonly most: number },
  SqlError.SqlError,
  SqlClient.SqlClient
> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly open: number; readonly most: number }>`
    SELECT (SELECT coalesce(sum(numbackends), 0) FROM pg_stat_database)::int AS open,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true), '0')::int AS most`
  return row ?? { open: 0, most: 0 }
})

/**
 * Bytes of the write-ahead log that the standby lacks that is furthest behind; 0 where there is none. A standby that is
 * away is known by its replication slot; one without a slot while it is connected, to a role that may see it
 * (`pg_monitor`).
 */
export const replicationLag: Effect.Effect<number, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly bytes: number }>`
    SELECT CASE WHEN pg_is_in_recovery() THEN 0 ELSE coalesce(GREATEST(
      (SELECT max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)) FROM pg_replication_slots
        WHERE slot_type = 'physical'),
      (SELECT max(pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn)) FROM pg_stat_replication)
    ), 0) END::float8 AS bytes`
  return row?.bytes ?? 0
})
