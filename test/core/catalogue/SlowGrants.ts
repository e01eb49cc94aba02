import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** Has PostgreSQL end each statement that reads grants, as it ends one that has run for too long. */
export const slowGrants = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  yield* sql`CREATE FUNCTION too_slow() RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RAISE SQLSTATE ''57014''; END'`
  yield* sql`ALTER TABLE grants RENAME TO many_grants`
  yield* sql`CREATE VIEW grants AS SELECT g.* FROM many_grants g WHERE too_slow()`
  yield* sql`GRANT SELECT ON grants TO PUBLIC`
})

export const fastGrants = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  yield* sql`DROP VIEW grants`
  yield* sql`DROP FUNCTION too_slow`
  yield* sql`ALTER TABLE many_grants RENAME TO grants`
})
