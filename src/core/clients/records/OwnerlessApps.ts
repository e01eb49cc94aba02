import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"

/**
 * Condition that nobody can look after a row of `clients`: its first owner has been shut out or has left the platform,
 * and no co-owner who may do everything has taken their place. It ends by itself when the account is let in again.
 */
export const isOwnerless = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`(clients.test_of IS NULL AND clients.owner_id IN (SELECT id FROM accounts WHERE disabled_at IS NOT NULL))`

/** Number of such apps. */
export const countOwnerless = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM clients WHERE ${isOwnerless(sql)}`
  return row?.n ?? 0
})
