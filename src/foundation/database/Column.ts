import { PgTypes } from "@effect/sql-pg"
import { Duration, Result, String } from "effect"
import { Statement } from "effect/sql"

/**
 * Columns that a schema of rows reads, by their names (`house/columns` in .oxlintrc.json): a list that stays the same
 * when a migration adds one.
 */
export const names = (fields: Readonly<Record<string, unknown>>, table?: string): Statement.Fragment => {
  const columns = Object.keys(fields).map(String.camelToSnake)
  return Statement.fragment([
    Statement.literal(columns.map((column) => table === undefined ? column : `${table}.${column}`).join(", "))
  ])
}

/** A bytea parameter; the client cannot infer the type of an array of nulls. */
export const bytes = (values: ReadonlyArray<Uint8Array | null>): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(values, PgTypes.OID.bytea))

/** A text parameter; the client cannot infer the type of an array of nulls. */
export const texts = (values: ReadonlyArray<string | null>): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(values, PgTypes.OID.text))

/** An interval parameter of fixed length: no day that is longer or shorter than 24 hours changes it. */
export const interval = (duration: Duration.Duration): PgTypes.Parameter =>
  PgTypes.interval({ months: 0, days: 0, microseconds: Duration.toNanosUnsafe(duration) / 1_000n })
