import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Column from "../../foundation/database/Column.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"

/** How the counting of calls goes, for operators. */
interface UsageState {
  /** Seconds for which the oldest count has waited to be added up; 0 while none waits. */
  readonly oldestWaiting: number
  /** Days within the weeks that are kept on which calls were missed, those on which `USAGE` was off included. */
  readonly missedDays: number
  /** Why some were missed within the last week, against the operator's will; `null` if none were. */
  readonly lately: "dropped" | "overflow" | null
}

export const usageState: Effect.Effect<UsageState, SqlError.SqlError, AppConfig | SqlClient.SqlClient> = Effect.gen(
  function*() {
    const sql = yield* SqlClient.SqlClient
    const { usageLifetime } = yield* AppConfig
    const now = yield* DatabaseClock.statementNow
    // Counts are read by their ids, which come in the order of time: there may be millions.
    const [row] = yield* sql<UsageState>`SELECT
      coalesce(extract(epoch FROM ${now} - (SELECT at FROM usage_batches ORDER BY id LIMIT 1)), 0)::float8
        AS oldest_waiting,
      (SELECT count(DISTINCT day)::int FROM usage_gaps
        WHERE day >= ((${now} - ${Column.interval(usageLifetime)}) AT TIME ZONE 'UTC')::date) AS missed_days,
      (SELECT max(reason) FROM usage_gaps WHERE reason IN ('dropped', 'overflow')
        AND day >= ((${now} - interval '7 days') AT TIME ZONE 'UTC')::date) AS lately`
    const { lately = null, missedDays = 0, oldestWaiting = 0 } = row ?? {}
    return { oldestWaiting: Math.max(0, oldestWaiting), missedDays, lately }
  }
)
