import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId } from "../../../domain/Ids.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"

/**
 * What is under way while a reviewer has something to decide about an app: who has claimed it (`review_claims`), and
 * the question that its owner has to answer (`review_questions`), which stops the clock. Each command on an app calls
 * it, under the app's row lock.
 */
export const openReview = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  return {
    /** Whether a question is open, was answered, or was never asked in this review. */
    question: Effect.fnUntraced(function*(id: ClientId) {
      const [row] = yield* sql<{ readonly isOpen: boolean }>`
        SELECT answered_at IS NULL AS is_open FROM review_questions WHERE client_id = ${id}`
      return row === undefined ? "none" as const : row.isOpen ? "open" as const : "answered" as const
    }, Effect.orDie),

    /** Stops the clock, unless it stands already. */
    ask: Effect.fnUntraced(function*(id: ClientId) {
      yield* sql`INSERT INTO review_questions (client_id, asked_at) VALUES (${id}, ${yield* DatabaseClock.statementNow})
        ON CONFLICT (client_id) DO UPDATE SET asked_at = excluded.asked_at, answered_at = NULL
          WHERE review_questions.answered_at IS NOT NULL`
    }, Effect.orDie),

    /** Lets the clock go on, after an answer or an edit: both put the app at the top of the queue. */
    answered: Effect.fnUntraced(function*(id: ClientId) {
      const now = yield* DatabaseClock.statementNow
      yield* sql`UPDATE review_questions SET answered_at = ${now}, stood = stood + (${now} - asked_at)
        WHERE client_id = ${id} AND answered_at IS NULL`
    }, Effect.orDie),

    /** Ends the claim and the question: nothing waits for a decision any more. */
    end: Effect.fnUntraced(function*(id: ClientId) {
      yield* sql`WITH claims AS (DELETE FROM review_claims WHERE client_id = ${id})
        DELETE FROM review_questions WHERE client_id = ${id}`
    }, Effect.orDie)
  }
})
