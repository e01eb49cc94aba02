import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

/** A bytea array whose values may all be null, for which the client cannot infer a type. */
export const bytes = (values: ReadonlyArray<Uint8Array | null>): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(values, PgTypes.OID.bytea))

/** A text array whose values may all be null, for which the client cannot infer a type. */
export const texts = (values: ReadonlyArray<string | null>): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(values, PgTypes.OID.text))
