import { DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Credential from "../../../domain/Credential.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import * as Sweep from "../../../foundation/database/Sweep.ts"

/**
 * Notes that the sign-in elsewhere that is known by this nonce or state was answered. False if it was before: on all
 * nodes together, each is answered once.
 */
export const spendAnswer = Effect.gen(function*() {
  const clock = yield* DatabaseClock
  const sql = yield* SqlClient.SqlClient
  return Effect.fn("SpentAnswers.spend")(function*(nonce: string) {
    const expiresAt = DateTime.toDateUtc(DateTime.addDuration(yield* clock.now, kept))
    const noted = yield* sql`INSERT INTO spent_answers ${sql.insert({ digest: Credential.digest(nonce), expiresAt })}
      ON CONFLICT DO NOTHING RETURNING 1`
    return noted.length === 1
  }, Effect.orDie)
})

// Longer than an answer lives, or is waited for, by the clock of any node: one that is older is refused for its age.
const kept = Duration.hours(1)

export const sweeps = [
  Sweep.expired({
    table: "spent_answers",
    column: "expires_at",
    retention: kept,
    rows: "answers of the platform's sign-in page or provider"
  })
]
