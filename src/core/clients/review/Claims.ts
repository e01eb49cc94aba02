import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { Conflict } from "../../../domain/ApiError.ts"
import { type ClientId, UserId } from "../../../domain/Ids.ts"
import * as Column from "../../../foundation/database/Column.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import type { Claim } from "./Claim.ts"

/** Claims that have not ended, as a table: `client_id`, `reviewer` and `at`. */
export const liveClaims = (sql: SqlClient.SqlClient): Effect.Effect<Statement.Fragment> =>
  Effect.map(
    DatabaseClock.statementStart,
    (now) => sql`(SELECT client_id, reviewer, at FROM review_claims WHERE at > ${now} - ${Column.interval(lifetime)})`
  )

/** Claims of apps, for `ReviewDesk`; a decision ends them (`openReview`). */
export const claims = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  const find = Effect.fnUntraced(function*(id: ClientId) {
    return Option.map(
      yield* firstClaim(sql`SELECT reviewer, at FROM ${yield* liveClaims(sql)} live WHERE client_id = ${id}`),
      withEnd
    )
  }, Effect.orDie)

  /** Of two reviewers who claim at once, the statement lets one win; the other learns who that is. */
  const take = Effect.fnUntraced(function*(by: UserId, id: ClientId, from: string | undefined) {
    const now = yield* DatabaseClock.statementNow
    const taken = yield* firstClaim(
      sql`INSERT INTO review_claims (client_id, reviewer, at) VALUES (${id}, ${by}, ${now})
      ON CONFLICT (client_id) DO UPDATE SET reviewer = excluded.reviewer, at = excluded.at
        WHERE review_claims.reviewer IN (${by}, ${from ?? by})
          OR review_claims.at <= excluded.at - ${Column.interval(lifetime)}
      RETURNING reviewer, at`
    )
    if (Option.isNone(taken)) return yield* claimed
    return withEnd(taken.value)
  }, Effect.catchTag("SqlError", Effect.die))

  const release = Effect.fnUntraced(function*(by: UserId, id: ClientId) {
    yield* sql`DELETE FROM review_claims WHERE client_id = ${id} AND reviewer = ${by}`
  }, Effect.orDie)

  return { find, take, release }
})

/** Long enough to look into an app, and short enough that one left over is nobody's by the next look at the list. */
const lifetime = Duration.hours(1)

const Row = Schema.Struct({ reviewer: UserId, at: Schema.DateTimeUtcFromDate })
const firstClaim = Rows.first(Row)
const withEnd = ({ at, reviewer }: typeof Row.Type): Claim => ({
  reviewer,
  at,
  endsAt: DateTime.addDuration(at, lifetime)
})

const claimed = new Conflict({
  code: "claimed",
  message: "Another reviewer has claimed this app. Take it over from them if you mean to."
})
