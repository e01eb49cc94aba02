import { Cause, Context, Effect, Option, Predicate } from "effect"
import { type SqlClient, SqlError } from "effect/sql"

/** True while a transaction is run again: its statements are planned then, whatever the connection has prepared. */
export const Unprepared = Context.Reference<boolean>("slotkey/foundation/database/StalePlans/Unprepared", {
  defaultValue: () => false
})

/**
 * Transactions that are run once more, with fresh plans, when a statement of theirs was prepared before a migration
 * that has changed its columns ("cached plan must not change result type"). The database has undone them by then, and
 * they do nothing beside it that must not be done twice. Outside transactions the driver repeats the one statement.
 */
export const rerunning = (client: SqlClient.SqlClient): SqlClient.SqlClient["withTransaction"] => {
  const { transactionService, withTransaction } = client
  return (work) => {
    const transaction = withTransaction(work)
    const again = Effect.provideService(transaction, Unprepared, true)
    return Effect.contextWith((context: Context.Context<never>) =>
      // What surrounds this one is undone as well, so it is that which is run again.
      Option.isSome(Context.getOption(context, transactionService))
        ? transaction
        : Effect.catchCauseIf(transaction, isStale, () => again)
    )
  }
}

const isStale = ({ reasons }: Cause.Cause<unknown>): boolean =>
  reasons.some((reason) => {
    if (Cause.isInterruptReason(reason)) return false
    const error = Cause.isFailReason(reason) ? reason.error : reason.defect
    return SqlError.isSqlError(error) && hasCode(error.reason.cause)
  })

/** SQLSTATE 0A000 has other causes, too: those fail again. */
const hasCode = (cause: unknown): boolean => Predicate.hasProperty(cause, "code") && cause.code === "0A000"
