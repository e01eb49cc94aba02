import type { SqlClient, Statement } from "effect/sql"

/**
 * Number of users who wait for the review of each app, as a subquery of `client_id` and `wishes`; apps without one have
 * no row.
 */
export const openWishes = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`(SELECT w.client_id, count(*)::integer AS wishes FROM review_wishes w JOIN clients c ON c.id = w.client_id
    WHERE ${isOpen(sql)} GROUP BY w.client_id)`

/** True of a wish that no decision about its app `c` has answered. */
export const isOpen = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`(c.reviewed_at IS NULL OR asked_at > c.reviewed_at)`
