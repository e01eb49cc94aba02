import type { SqlClient, Statement } from "effect/sql"
import type { UserId } from "../../../domain/Ids.ts"

/**
 * Condition that a user is an owner of a row `app` of `clients`, and so may use its test app without an invitation. It
 * is the one place that says who that is.
 */
export const isOwnersOwn = (sql: SqlClient.SqlClient) => (userId: UserId): Statement.Fragment =>
  sql`app.owner_id = ${userId}`
