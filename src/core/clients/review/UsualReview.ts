import { Duration, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Column from "../../../foundation/database/Column.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import * as Rows from "../../../foundation/database/Rows.ts"

/**
 * Makes what finds how long a review takes: the median of the last decisions about new apps, from the submission to the
 * decision. There is none where too few were made lately. Of an app whose change was decided later `reviewed_at` is the
 * time of that, so the trail says when the app itself was decided; imported apps waited elsewhere.
 */
export const usualReview = Effect.map(SqlClient.SqlClient, (sql) =>
  Effect.gen(function*() {
    const since = sql`(${yield* DatabaseClock.statementStart} - ${Column.interval(recently)})`
    const found = yield* firstFound(sql`SELECT count(*)::int AS decisions,
        coalesce(extract(epoch FROM percentile_disc(0.5) WITHIN GROUP (ORDER BY decided.at - c.submitted_at)), 0)::int
          AS seconds
      FROM (SELECT id, submitted_at FROM clients
          WHERE reviewed_at > ${since} AND status <> 'pending' AND NOT legacy AND migrated_at IS NULL
          ORDER BY reviewed_at DESC LIMIT ${mostDecisions}) c
        CROSS JOIN LATERAL (SELECT at FROM audit_log WHERE client_id = c.id
          AND action IN ('client.approved', 'client.rejected') AND at >= c.submitted_at ORDER BY id DESC LIMIT 1) decided
      WHERE decided.at > ${since}`)
    return Option.map(
      Option.filter(found, ({ decisions }) => decisions >= fewestDecisions),
      ({ seconds }) => Duration.seconds(seconds)
    )
  }).pipe(Effect.orDie, Effect.withSpan("UsualReview")))

const recently = Duration.days(90)
const mostDecisions = 50
const fewestDecisions = 5

const firstFound = Rows.first(Schema.Struct({ decisions: Schema.Int, seconds: Schema.Int }))
