import { Effect } from "effect"
import type { SqlError } from "effect/sql"

/**
 * Repeats a statement that the database rolled back for a deadlock or a serialization failure: nothing of it has happened.
 * After any other failure nobody can tell what happened, so it is a defect at once. Not for use inside a transaction,
 * which is rolled back as a whole.
 */
export const retryRolledBack = <A, R>(statement: Effect.Effect<A, SqlError.SqlError, R>): Effect.Effect<A, never, R> =>
  Effect.orDie(Effect.retry(statement, {
    while: ({ reason }) => reason._tag === "DeadlockError" || reason._tag === "SerializationError",
    times: 3
  }))
