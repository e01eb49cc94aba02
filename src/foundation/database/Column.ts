import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

/** A bytea parameter; the client cannot infer the type of an array of nulls. */
export const bytes = (values: ReadonlyArray<Uint8Array | null>): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(values, PgTypes.OID.bytea))

/** A text parameter; the client cannot infer the type of an array of nulls. */
export const texts = (values: ReadonlyArray<string | null>): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(values, PgTypes.OID.text))
