import { Schema } from "effect"
import { define } from "../Job.ts"

// Workers of the release before require `clientId` and put aside what lacks it, so it is written for one release more.
const Payload = Schema.Struct({ clientId: Schema.optionalKey(Schema.Null) })

/** Assesses how far legacy clients are on their way to scopes (specification §5.6). An import publishes one, too. */
export const MigrationAudit = define({
  queue: "migration-audits",
  payload: Payload,
  subject: () => "migration",
  schedule: { payload: { clientId: null }, times: { cron: "0 3 * * *" } }
})
