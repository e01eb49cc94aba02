import { Duration, Effect, Schema } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { AppConfig, type Settings } from "../config/AppConfig.ts"
import * as Column from "./Column.ts"
import { DatabaseClock } from "./DatabaseClock.ts"

/**
 * A way to find the rows of one table that nobody needs any more, and to delete them a few at a time. The file that
 * owns a table exports its `sweeps`; `workers/Sweeps.ts` lists them all, and the job `Expiry` runs them.
 */
export interface Sweep<R = never> extends Rule {
  /** Prepares the sweep for one worker: what it remembers from batch to batch is made here. */
  readonly prepare: Effect.Effect<DeleteBatch, never, R | AppConfig | SqlClient.SqlClient>
}

/** Words for a sweep in docs/operations/retention.md. */
interface Rule {
  readonly table: string
  /** Rows that are deleted. */
  readonly rows: string
  /** How long rows stay: a setting, or a length of time where none says it. */
  readonly retention: Lifetime | Duration.Duration
}

/** Deletes some rows; `more` while there may be others. */
export type DeleteBatch = Effect.Effect<
  { readonly deleted: number; readonly more: boolean },
  SqlError.SqlError | SweepError
>

/**
 * Rows cannot be deleted, because what has to happen before does not work; the message is one line for the operator.
 */
export class SweepError extends Schema.TaggedError<SweepError>()("SweepError", { message: Schema.String }) {}

/** Settings that are a length of time. */
type Lifetime = { [K in keyof Settings]: Settings[K] extends Duration.Duration ? K : never }[keyof Settings]

/** Instant that lies this long in the past, by the database's clock: a worker that is ahead deletes nothing early. */
type Ago = (age: Duration.Duration) => Statement.Fragment

/** Rows that hold the instant at which they expire. */
export const expired = ({ column, ...rule }: Rule & { readonly column: string }): Sweep =>
  where(rule, (sql, ago) => sql`${sql(column)} <= ${ago(Duration.zero)}`)

/** Rows whose instant in the column lies as far back as the setting says. */
export const olderThan = (
  { column, ...rule }: Omit<Rule, "retention"> & { readonly column: string; readonly retention: Lifetime }
): Sweep => where(rule, (sql, ago, config) => sql`${sql(column)} <= ${ago(config[rule.retention])}`)

/** Rows for which the condition holds; those that another transaction has locked are left for the next run. */
export const where = (
  rule: Rule,
  condition: (sql: SqlClient.SqlClient, ago: Ago, config: Settings) => Statement.Fragment
): Sweep => ({
  ...rule,
  prepare: Effect.gen(function*() {
    const config = yield* AppConfig
    const sql = yield* SqlClient.SqlClient
    const table = sql(rule.table)
    const deleteBatch: DeleteBatch = Effect.gen(function*() {
      const isDue = condition(sql, yield* ago(sql), config)
      const rows = yield* sql`DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${table} WHERE ${isDue} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
      )) RETURNING 1`
      return { deleted: rows.length, more: rows.length === batchSize }
    })
    return deleteBatch
  })
})

/** Number of rows that a batch reads at most. */
export const batchSize = 1_000

export const ago = (sql: SqlClient.SqlClient): Effect.Effect<Ago> =>
  Effect.map(DatabaseClock.statementStart, (start) => (age) => sql`${start} - ${Column.interval(age)}`)
