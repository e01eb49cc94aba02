import type { SqlClient, Statement } from "effect/sql"
import { isUnasked } from "../records/Unasked.ts"

/**
 * Apps with something to decide, as a table: `id`; `since`, from when the app counts as waiting, without the time in
 * which its owner had a question to answer; `asked`, while the owner has one; `answered`, from then on; and `imported`,
 * if nobody registered it by hand: a legacy app that waits as it came, without scopes. Those that registered by
 * themselves wait from when a user asks for their review.
 */
export const waitingApps = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`(SELECT w.id, w.submitted_at + coalesce(q.stood, interval '0') AS since, w.imported,
      q.client_id IS NOT NULL AND q.answered_at IS NULL AS asked, q.answered_at IS NOT NULL AS answered
    FROM (SELECT id, submitted_at, legacy AS imported FROM clients WHERE status = 'pending' AND NOT ${isUnasked(sql)}
      UNION ALL SELECT client_id, submitted_at, false FROM client_changes WHERE rejection_reason IS NULL) w
    LEFT JOIN review_questions q ON q.client_id = w.id)`
