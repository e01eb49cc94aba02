import { Effect } from "effect"
import { type SqlClient, SqlError } from "effect/sql"

/**
 * Does all of the work or nothing, within the caller's transaction if there is one. A failure of the database is a
 * defect, which nobody can mend; other errors stay what they are, and undo the work, too.
 */
export const inTransaction = (sql: SqlClient.SqlClient) => <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.catchIf(sql.withTransaction(work), SqlError.isSqlError, Effect.die)
