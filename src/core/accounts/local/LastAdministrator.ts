import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { UserId } from "../../../domain/Ids.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { roleAt } from "../people/AccountColumns.ts"

/**
 * Administrators who can sign in, of whom one must be left: without any, the next start prints a set-up link, which
 * anyone who reads the log can use.
 */
export const lastAdministrator = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { signIn } = yield* AppConfig

  const isEnabled = Effect.map(
    DatabaseClock.statementNow,
    (now) => sql`${roleAt(now)} = 'admin' AND disabled_at IS NULL`
  )
  // A local account that nobody can sign in to keeps no administrator.
  const canSignIn = signIn.has("local") ? sql`true` : sql`linked`

  /**
   * Locks the rows: of two administrators who demote each other at the same moment, one remains. The account that is
   * about to change is locked in id order, whatever its role; locking it last could deadlock.
   */
  const isLast = Effect.fnUntraced(function*(userId: UserId) {
    const isAdmin = sql`(${yield* isEnabled} AND ${canSignIn})`
    const locked = yield* sql<{ readonly id: UserId; readonly isAdmin: boolean }>`
      SELECT id, ${isAdmin} AS is_admin FROM accounts WHERE ${isAdmin} OR id = ${userId} ORDER BY id FOR UPDATE`
    const admins = locked.filter(({ isAdmin }) => isAdmin)
    return admins.length === 1 && admins[0]?.id === userId
  })

  const exists = Effect.flatMap(isEnabled, (isAdmin) => sql`SELECT 1 FROM accounts WHERE ${isAdmin} LIMIT 1`).pipe(
    Effect.map((rows) => rows.length > 0)
  )

  return { isLast, exists }
})
