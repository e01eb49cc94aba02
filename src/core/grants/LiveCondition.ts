import type { Duration } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import * as Column from "../../foundation/database/Column.ts"

/** The condition in SQL that a grant is live, as `isLive` has it: not revoked, not expired, not idle for too long. */
export const make = (sql: SqlClient.SqlClient, grantIdleLifetime: Duration.Duration) => {
  const idle = Column.interval(grantIdleLifetime)
  return (now: Statement.Fragment): Statement.Fragment =>
    sql`revoked_at IS NULL AND expires_at > ${now} AND rotated_at > ${now} - ${idle}`
}
