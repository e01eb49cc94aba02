import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { waitingApps } from "../src/core/clients/review/WaitingApps.ts"
import type { ClientId } from "../src/domain/Ids.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { type ClientState, ReviewNotice } from "../src/foundation/jobs/kinds/ReviewNotice.ts"
import { ReviewReminders } from "../src/foundation/jobs/kinds/ReviewReminders.ts"
import { Outbox } from "../src/foundation/jobs/outbox/Outbox.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"

/**
 * Publishes a notice for each client that has waited for review too long, and again each time as long has passed; for
 * none whose owner has a question to answer.
 */
export const remind: Effect.Effect<number, never, AppConfig | Outbox | SqlClient.SqlClient> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const outbox = yield* Outbox
  const { reviewReminderAfter } = yield* AppConfig
  const now = yield* DateTime.now
  const since = DateTime.toDateUtc(DateTime.subtractDuration(now, reviewReminderAfter))
  // The worker that writes the row publishes the notice: of two workers only one finds the last reminder old enough.
  const due = yield* sql<ClientState & { clientId: ClientId }>`
    WITH due AS (INSERT INTO review_reminders (client_id, reminded_at)
    SELECT c.id, ${DateTime.toDateUtc(now)} FROM clients c JOIN ${waitingApps(sql)} w ON w.id = c.id
    WHERE c.status <> 'suspended' AND NOT w.asked AND w.since <= ${since}
    ORDER BY c.id
    ON CONFLICT (client_id) DO UPDATE SET reminded_at = excluded.reminded_at
      WHERE review_reminders.reminded_at <= ${since}
    RETURNING client_id)
    SELECT client_id, name, website, status FROM due JOIN clients ON id = client_id ORDER BY client_id`
  yield* Effect.forEach(
    due,
    ({ clientId, ...state }) => outbox.publish(ReviewNotice.make({ clientId, event: "waiting", state }))
  )
  return due.length
}).pipe(
  (publish) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(publish)),
  Effect.orDie,
  Effect.withSpan("ReviewReminders")
)

export const worker = Worker.make({
  kind: ReviewReminders,
  does: "publishes notices of apps that wait longer than `REVIEW_REMINDER_AFTER`",
  handler: () => Effect.asVoid(remind)
})
