import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../foundation/database/InTransaction.ts"
import { StatementTimeout } from "../../foundation/database/StatementTimeout.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import { CodeStore } from "./CodeStore.ts"
import { fromRow, type GrantRow } from "./Grant.ts"
import * as GrantColumns from "./GrantColumns.ts"
import { grantEnds } from "./GrantEnds.ts"
import * as LiveCondition from "./LiveCondition.ts"

/** Live grants for which all of this holds. */
export interface GrantSelection {
  readonly userId: UserId | undefined
  readonly clientId: ClientId | undefined
  readonly since: DateTime.Utc | undefined
  readonly until: DateTime.Utc | undefined
}

interface GrantPage {
  readonly before: GrantId | undefined
  readonly limit: number
}

/** Number of grants, and of the users and clients that they connect. */
export interface GrantCount {
  readonly grants: number
  readonly users: number
  readonly clients: number
}

/**
 * Finds and ends the grants of a user, of a client or of a time by an operator's command: after a leak, or after a
 * restore, which undoes the revocations since the dump.
 */
export const operatorRevocation = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const audit = yield* AuditLog
  const codes = yield* CodeStore
  const endGrants = yield* grantEnds
  const { grantIdleLifetime, importTimeout } = yield* AppConfig
  const live = LiveCondition.make(sql, grantIdleLifetime)

  const selected = Effect.fnUntraced(function*({ clientId, since, until, userId }: GrantSelection) {
    return sql.and([
      live(yield* DatabaseClock.statementNow),
      ...(userId === undefined ? [] : [sql`user_id = ${userId}`]),
      ...(clientId === undefined ? [] : [sql`client_id = ${clientId}`]),
      ...(since === undefined ? [] : [sql`created_at >= ${DateTime.toDateUtc(since)}`]),
      ...(until === undefined ? [] : [sql`created_at < ${DateTime.toDateUtc(until)}`])
    ])
  })

  const counts = sql`count(*)::int AS grants, count(DISTINCT user_id)::int AS users,
    count(DISTINCT client_id)::int AS clients`

  /**
   * Live grants of the selection, the newest first: at most `limit`, and only those older than `before`. Ids are UUIDs
   * of version 7, whose order is the order of their creation.
   */
  const find = Effect.fn("OperatorRevocation.find")(
    function*(selection: GrantSelection, { before, limit }: GrantPage) {
      const older = before === undefined ? sql`true` : sql`id < ${before}::text::uuid`
      const rows = yield* sql<GrantRow>`SELECT ${GrantColumns.of()} FROM grants
        WHERE ${yield* selected(selection)} AND ${older} ORDER BY id DESC LIMIT ${limit}`
      return rows.map(fromRow)
    },
    Effect.orDie,
    Effect.provideService(StatementTimeout, importTimeout)
  )

  const count = Effect.fn("OperatorRevocation.count")(
    function*(selection: GrantSelection) {
      const [found] = yield* sql<GrantCount>`SELECT ${counts} FROM grants WHERE ${yield* selected(selection)}`
      return found ?? none
    },
    Effect.orDie,
    Effect.provideService(StatementTimeout, importTimeout)
  )

  /** Ends all grants of the selection or none, and withdraws a user's unspent codes unless a time is named. */
  const end = Effect.fn("OperatorRevocation.end")(
    function*(selection: GrantSelection, actor: string) {
      const { clientId, since, until, userId } = selection
      // Codes first: one that is being spent meanwhile has become a grant when the grants are ended.
      if (userId !== undefined && since === undefined && until === undefined) {
        yield* codes.withdraw(userId, clientId)
      }
      const rows = yield* endGrants(yield* selected(selection), "ended by operator")
      const ended: GrantCount = {
        grants: rows.length,
        users: new Set(rows.map(({ userId }) => userId)).size,
        clients: new Set(rows.map(({ clientId }) => clientId)).size
      }
      if (ended.grants === 0) return ended
      yield* audit.record({
        actor,
        action: "grants.ended",
        ...(clientId === undefined ? {} : { clientId }),
        ...(userId === undefined ? {} : { userId }),
        details: {
          ...ended,
          ...(since === undefined ? {} : { since: DateTime.formatIso(since) }),
          ...(until === undefined ? {} : { until: DateTime.formatIso(until) })
        }
      })
      return ended
    },
    inTransaction(sql),
    Effect.provideService(StatementTimeout, importTimeout)
  )

  return { find, count, end }
})

const none: GrantCount = { grants: 0, users: 0, clients: 0 }
