import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Credential from "../../../domain/Credential.ts"
import type { UserId } from "../../../domain/Ids.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import { AuditLog } from "../../audit/AuditLog.ts"

/** A sign-in elsewhere that has ended there: the session of a user, or all of them. */
export interface EndedOrigin {
  readonly issuer: string
  readonly subject: string | undefined
  readonly sid: string | undefined
}

/** Ends of sessions before their time, as `Sessions` offers them: each is in the trail. */
export const sessionEnds = Effect.gen(function*() {
  const audit = yield* AuditLog
  const sql = yield* SqlClient.SqlClient

  /** Deletes these sessions with an entry of the trail for each account, whose user did it unless `by` says who. */
  const remove = Effect.fnUntraced(function*(where: Statement.Fragment, by?: string) {
    const rows = yield* sql<{ userId: UserId; count: number }>`WITH ended AS (
        DELETE FROM sessions WHERE ${where} RETURNING user_id
      ) SELECT user_id, count(*)::int AS count FROM ended GROUP BY user_id ORDER BY user_id`
    yield* audit.recordAll(
      rows.map(({ count, userId }) => ({
        actor: by ?? userId,
        action: "session.ended",
        userId,
        details: { sessions: count }
      }))
    )
    return rows.reduce((sum, { count }) => sum + count, 0)
  }, sql.withTransaction)

  const endOne = Effect.fn("Sessions.endOne")(function*(userId: UserId, id: string) {
    return (yield* remove(sql`user_id = ${userId} AND encode(digest, 'hex') = ${id}`)) === 1
  }, Effect.orDie)

  const end = Effect.fn("Sessions.end")(
    (token: string) => remove(sql`digest = ${Credential.digest(token)}`),
    Effect.orDie,
    Effect.asVoid
  )

  const endAll = Effect.fn("Sessions.endAll")(
    (userId: UserId, by?: string, except?: Uint8Array) =>
      remove(sql`user_id = ${userId} AND digest IS DISTINCT FROM ${except ?? null}`, by),
    Effect.orDie
  )

  const endEverybodys = Effect.fn("Sessions.endEverybodys")(
    function*(by: string) {
      const [row] = yield* sql<{ count: number }>`WITH ended AS (DELETE FROM sessions RETURNING 1)
      SELECT count(*)::int AS count FROM ended`
      const count = row?.count ?? 0
      yield* audit.record({ actor: by, action: "session.ended", details: { sessions: count, accounts: "all" } })
      return count
    },
    inTransaction(sql)
  )

  const endFrom = Effect.fn("Sessions.endFrom")(function*({ issuer, sid, subject }: EndedOrigin) {
    const ended = subject === undefined
      ? sql`sid = ${sid ?? null}`
      : sid === undefined
      ? sql`subject = ${subject}`
      : sql`subject = ${subject} AND (sid = ${sid} OR sid IS NULL)`
    yield* remove(sql`issuer = ${issuer} AND ${ended}`, issuer)
  }, Effect.orDie)

  return { end, endOne, endAll, endEverybodys, endFrom }
})
