import type { PgTypes } from "@effect/sql-pg"
import type { Duration } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import * as Column from "../../foundation/database/Column.ts"

/** Condition in SQL that a grant is live, as `isLive` has it: not revoked, not expired, not idle for too long. */
export const make = (sql: SqlClient.SqlClient, grantIdleLifetime: Duration.Duration) => {
  const isInUse = inUse(sql, grantIdleLifetime)
  return (now: Statement.Fragment): Statement.Fragment =>
    sql`revoked_at IS NULL AND expires_at > ${now} AND ${isInUse(now)}`
}

/** When a grant `g` ends unless it is refreshed again, as `endsAt` of `Grant` has it. */
export const endsAt = (sql: SqlClient.SqlClient, idle: PgTypes.Parameter): Statement.Fragment =>
  sql`LEAST(g.expires_at, g.rotated_at + CASE WHEN g.imported_rotates IS NULL THEN ${idle}
    ELSE g.idle_days * interval '24 hours' END)`

/**
 * Condition that a grant is not idle for too long. One that was imported has no such end unless its import set one:
 * `idle_days` is null then, and so is the comparison. `RotateStatement` has the same.
 */
export const inUse = (sql: SqlClient.SqlClient, grantIdleLifetime: Duration.Duration) => {
  const idle = Column.interval(grantIdleLifetime)
  return (now: Statement.Fragment): Statement.Fragment =>
    sql`(rotated_at > ${now} - CASE WHEN imported_rotates IS NULL THEN ${idle}
      ELSE idle_days * interval '24 hours' END) IS NOT FALSE`
}
