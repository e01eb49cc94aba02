/** An index on a table that grows. */
export interface Index {
  readonly name: string
  /** What stands behind the name in `CREATE INDEX`. */
  readonly on: string
}

/**
 * The indexes that are built while the servers work, after the migrations: building one takes minutes where a table is
 * large, and one of a migration would hold up every write to it meanwhile. Each makes something faster, and nothing may
 * need it in order to be right.
 */
export const indexes: ReadonlyArray<Index> = [
  // The rows of a time: what an operator asks for, and what is past its time.
  { name: "audit_log_at", on: "audit_log (at)" }
]
