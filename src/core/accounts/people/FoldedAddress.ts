import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Folds an e-mail address for what is counted by addresses, by the function with which the database looks accounts up.
 * So two spellings of one account never count apart, whatever the locale of the database: JavaScript's own fold differs
 * from it in letters such as `İ` and a final `Σ`, and each of their spellings would have guesses of its own.
 */
export const foldAddress = Effect.map(
  SqlClient.SqlClient,
  (sql) => (email: string) =>
    sql<{ readonly folded: string }>`SELECT lower(${email.trim()}::text) AS folded`.pipe(
      Effect.map(([row]) => row?.folded ?? ""),
      Effect.orDie
    )
)
