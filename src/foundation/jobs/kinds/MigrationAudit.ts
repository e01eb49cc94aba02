import { scheduled } from "../Job.ts"

/** Assesses how far legacy clients are on their way to scopes (specification §5.6). An import publishes one, too. */
export const MigrationAudit = scheduled({
  queue: "migration-audits",
  subject: "migration",
  times: { cron: "0 3 * * *" }
})
