import * as Sweep from "../../../foundation/database/Sweep.ts"

export const sweeps = [
  Sweep.where({
    table: "app_events",
    retention: "eventLifetime",
    rows: "events for apps; of each app the last 20,000 are kept, those that wait before the others"
  }, (sql, ago, { eventLifetime }) =>
    sql`at <= ${ago(eventLifetime)} OR id IN (SELECT id FROM (
      SELECT id, row_number() OVER (PARTITION BY client_id ORDER BY due_at IS NULL, id DESC) AS place FROM app_events
    ) ranked WHERE place > ${mostKept})`)
]

/** Events of an app that are kept at most. */
const mostKept = 20_000
