import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Action in the trail (`AuditLog`) of a user who reports an app. */
export const reported = "client.reported"

/** The one of a reviewer who has looked into the reports of an app and found nothing to decide. */
export const reportsSettled = "client.reports_settled"

/**
 * Number of reports of each app that no reviewer has dealt with, as a subquery of `client_id` and `reports`; apps
 * without one have no row. It looks for the reports by an index of their own, and for each in the trail of its app.
 */
export const openReports = Effect.map(SqlClient.SqlClient, (sql) =>
  // Written out, because a parameter would hide from the planner that the index has all that is wanted.
  sql`(SELECT told.client_id, count(*)::integer AS reports FROM audit_log told
    WHERE told.action = ${sql.literal(`'${reported}'`)} AND NOT EXISTS (
      SELECT FROM audit_log later
      WHERE later.client_id = told.client_id AND later.action = ANY(${answers}::text[]) AND later.id > told.id)
    GROUP BY told.client_id)`)

/** What a reviewer does to an app in view of its reports: those before it are dealt with. */
const answers: ReadonlyArray<string> = [
  "client.approved",
  "client.rejected",
  "client.change_approved",
  "client.change_rejected",
  "client.suspended",
  "client.resumed",
  reportsSettled
]
