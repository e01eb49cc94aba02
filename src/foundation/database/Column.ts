import { PgTypes } from "@effect/sql-pg"
import { Duration, Result } from "effect"

/** A bytea parameter; the client cannot infer the type of an array of nulls. */
export const bytes = (values: ReadonlyArray<Uint8Array | null>): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(values, PgTypes.OID.bytea))

/** A text parameter; the client cannot infer the type of an array of nulls. */
export const texts = (values: ReadonlyArray<string | null>): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(values, PgTypes.OID.text))

/** An interval parameter of fixed length: no day that is longer or shorter than 24 hours changes it. */
export const interval = (duration: Duration.Duration): PgTypes.Parameter =>
  PgTypes.interval({ months: 0, days: 0, microseconds: Duration.toNanosUnsafe(duration) / 1_000n })
