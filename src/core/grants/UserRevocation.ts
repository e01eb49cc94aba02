import { DateTime, Duration, Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Column from "../../foundation/database/Column.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../foundation/database/InTransaction.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import type { KnownGrant } from "../clients/events/AppEvent.ts"
import { AppEvents } from "../clients/events/AppEvents.ts"
import { CodeStore } from "./CodeStore.ts"
import { grantEnds } from "./GrantEnds.ts"
import * as LiveCondition from "./LiveCondition.ts"

/**
 * Ends the access that a user gave, by their own hand: of apps at once, of one device, or of an app at an earlier time.
 * It has no budget, for it cannot happen more often than something was given.
 */
export const userRevocation = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const audit = yield* AuditLog
  const codes = yield* CodeStore
  const endGrants = yield* grantEnds
  const events = yield* AppEvents
  const { grantIdleLifetime } = yield* AppConfig
  const live = LiveCondition.make(sql, grantIdleLifetime)

  const endWhere = Effect.fnUntraced(
    function*(userId: UserId, where: Statement.Fragment) {
      const rows = yield* endGrants(sql`user_id = ${userId} AND ${where}`, "disconnected")
      const counts = new Map(
        Array.from(Map.groupBy(rows, ({ clientId }) => clientId), ([clientId, { length }]) => [clientId, length])
      )
      yield* audit.recordAll(
        Array.from(counts, ([clientId, grants]) => ({
          actor: userId,
          action: "consent.withdrawn",
          clientId,
          userId,
          details: { grants }
        }))
      )
      return counts
    }
  )

  /** Ends all grants of these apps at once; answers how many of each there were. */
  const end = Effect.fn("UserRevocation.end")(
    function*(userId: UserId, clientIds: ReadonlyArray<ClientId>) {
      // Codes first: one that is being spent meanwhile has become a grant when the grants are ended.
      yield* Effect.forEach([...clientIds].sort(), (clientId) => codes.withdraw(userId, clientId))
      return yield* endWhere(userId, sql`client_id = ANY(${clientIds}::text[])`)
    },
    inTransaction(sql)
  )

  /** Ends these grants and leaves all that their apps have got meanwhile; answers the same. */
  const endThese = Effect.fn("UserRevocation.endThese")(
    (userId: UserId, ids: ReadonlyArray<GrantId>) => endWhere(userId, sql`id = ANY(${ids}::uuid[])`),
    inTransaction(sql)
  )

  /** Ends one grant of this app; tells whether it had not ended before. */
  const endOne = Effect.fn("UserRevocation.endOne")(
    function*(userId: UserId, clientId: ClientId, id: GrantId) {
      const rows = yield* endGrants(
        // The text of the id: whatever a form names is none of the user's, or one.
        sql`id::text = ${id} AND user_id = ${userId} AND client_id = ${clientId}`,
        "device disconnected"
      )
      if (rows.length === 0) return false
      yield* audit.record({ actor: userId, action: "grant.revoked", clientId, userId, grantId: id })
      return true
    },
    inTransaction(sql)
  )

  /** Lets all grants of this app end so long from now, unless they end before; answers how many it changed. */
  const shorten = Effect.fn("UserRevocation.shorten")(
    function*(userId: UserId, clientId: ClientId, remaining: Duration.Duration) {
      yield* codes.withdraw(userId, clientId)
      const now = yield* DatabaseClock.statementNow
      const end = sql`${now} + ${Column.interval(remaining)}`
      // Rows are locked in key order, as in `RotateStatement`, so that neither can wait for the other in a circle.
      const rows = yield* sql<KnownGrant & { readonly expiresAt: Date }>`UPDATE grants SET expires_at = ${end}
        WHERE id IN (SELECT id FROM grants WHERE user_id = ${userId} AND client_id = ${clientId} AND ${live(now)}
          AND expires_at > ${end} ORDER BY id FOR UPDATE) RETURNING id, client_id, user_id, scopes, expires_at`
      const [first] = rows
      if (first !== undefined) {
        const details = { grants: rows.length, days: Duration.toDays(remaining) }
        yield* audit.record({ actor: userId, action: "grant.shortened", clientId, userId, details })
        yield* events.grantsShortened(rows, DateTime.fromDateUnsafe(first.expiresAt))
      }
      return rows.length
    },
    inTransaction(sql)
  )

  return { end, endOne, endThese, shorten }
})
