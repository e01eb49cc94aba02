import { Schema } from "effect"
import { define } from "../Job.ts"

/** Assesses how far legacy clients are on their way to scopes (specification §5.6). An import publishes one, too. */
export const MigrationAudit = define({
  queue: "migration-audits",
  payload: Schema.Struct({}),
  subject: () => "migration",
  schedule: { payload: {}, times: { cron: "0 3 * * *" } }
})
