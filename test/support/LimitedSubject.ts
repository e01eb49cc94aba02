import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Limiter } from "../../src/core/limits/Limiter.ts"

/** Subject of `rate_limits` that these parts name. */
export const limitedSubject = Effect.fnUntraced(function*(...parts: ReadonlyArray<string>) {
  return (yield* Limiter).subjectOf(...parts)
})

/** Uses a limit up, for the next hour. */
export const useUp = Effect.fnUntraced(function*(...parts: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const subject = yield* limitedSubject(...parts)
  const windowEndsAt = DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { hours: 1 }))
  yield* sql`INSERT INTO rate_limits (subject, count, window_ends_at) VALUES (${subject}, 1000000, ${windowEndsAt})
    ON CONFLICT (subject) DO UPDATE SET count = excluded.count, window_ends_at = excluded.window_ends_at`
})
