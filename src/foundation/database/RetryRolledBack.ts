import { Cause, Effect } from "effect"
import { SqlError } from "effect/sql"

/**
 * Repeats a statement that the database rolled back for a deadlock or a serialization failure: nothing of it has
 * happened. After any other failure nobody can tell what happened, so it is a defect at once. Not for use inside a
 * transaction, which is rolled back as a whole.
 */
export const retryRolledBack = <A, R>(statement: Effect.Effect<A, SqlError.SqlError, R>): Effect.Effect<A, never, R> =>
  Effect.orDie(Effect.retry(statement, {
    while: ({ reason }) => reason._tag === "DeadlockError" || reason._tag === "SerializationError",
    times: 3
  }))

/**
 * Repeats, on another connection, what the database may have done although its connection was lost before the answer
 * came. Where all connections were lost at once, the next ones fail, too: so it goes on until the database answers or
 * the caller's time is over. Only for work that does nothing when it is done already.
 */
export const askAgain = <A, R>(work: Effect.Effect<A, never, R>): Effect.Effect<A, never, R> => {
  const again: Effect.Effect<A, never, R> = Effect.suspend(() =>
    Effect.catchCauseIf(work, isDisconnected, () => Effect.andThen(Effect.sleep("50 millis"), again))
  )
  return Effect.catchCauseIf(work, isUnanswered, () => again)
}

const isUnanswered = (cause: Cause.Cause<never>): boolean => connectionError(cause)?.operation === "query"

const isDisconnected = (cause: Cause.Cause<never>): boolean => connectionError(cause) !== undefined

const connectionError = (cause: Cause.Cause<never>) => {
  const error = Cause.squash(cause)
  return SqlError.isSqlError(error) && error.reason._tag === "ConnectionError" ? error.reason : undefined
}
