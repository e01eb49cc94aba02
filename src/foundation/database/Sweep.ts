import { Duration, Effect } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import type { AppConfig } from "../config/AppConfig.ts"
import * as Column from "./Column.ts"
import { DatabaseClock } from "./DatabaseClock.ts"

/**
 * A way to find the rows of one table that nobody needs any more, and to delete them a few at a time. The file that owns
 * a table exports its `sweeps`; `workers/Sweeps.ts` lists them all, and the job `Expiry` runs them.
 */
export interface Sweep {
  readonly table: string
  /** Prepares the sweep for one worker: what it remembers from batch to batch is made here. */
  readonly prepare: Effect.Effect<DeleteBatch, never, AppConfig | SqlClient.SqlClient>
}

/** Deletes some rows; `more` while there may be others. */
export type DeleteBatch = Effect.Effect<{ readonly deleted: number; readonly more: boolean }, SqlError.SqlError>

/** The instant that lies this long in the past, by the database's clock: a worker that is ahead deletes nothing early. */
export type Ago = (age: Duration.Duration) => Statement.Fragment

/** The rows whose instant in the column lies in the past, by `age` or more. */
export const expired = (table: string, column: string, age = Duration.zero): Sweep =>
  where(table, (sql, ago) => sql`${sql(column)} <= ${ago(age)}`)

/** The rows for which the condition holds; those that another transaction has locked are left for the next run. */
export const where = (
  table: string,
  condition: (sql: SqlClient.SqlClient, ago: Ago) => Statement.Fragment
): Sweep => ({
  table,
  prepare: Effect.map(SqlClient.SqlClient, (sql) =>
    Effect.gen(function*() {
      const rows = yield* sql`DELETE FROM ${sql(table)} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${sql(table)} WHERE ${
        condition(sql, yield* ago(sql))
      } LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
      )) RETURNING 1`
      return { deleted: rows.length, more: rows.length === batchSize }
    }))
})

/** The number of rows that a batch reads at most. */
export const batchSize = 1_000

export const ago = (sql: SqlClient.SqlClient): Effect.Effect<Ago> =>
  Effect.map(DatabaseClock.statementStart, (start) => (age) => sql`${start} - ${Column.interval(age)}`)
