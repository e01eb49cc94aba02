import { Schema } from "effect"
import { ClientId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

/** One legacy client; `null` means all of them. */
export const Payload = Schema.Struct({ clientId: Schema.NullOr(ClientId) })
export type Payload = typeof Payload.Type

/** Assesses how far legacy clients are on their way to scopes (specification §5.6). An import publishes one, too. */
export const MigrationAudit = define({
  queue: "migration-audits",
  payload: Payload,
  subject: ({ clientId }) => clientId === null ? "migration" : `client:${clientId}`,
  schedule: { payload: { clientId: null }, times: { cron: "0 3 * * *" } }
})
