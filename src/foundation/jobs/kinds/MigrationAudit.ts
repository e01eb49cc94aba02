import { Schema } from "effect"
import { ClientId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

/** One legacy client, or all of them with `null`. */
export const Payload = Schema.Struct({ clientId: Schema.NullOr(ClientId) })
export type Payload = typeof Payload.Type

/** Judges how far legacy clients are on their way to scopes (specification §5.6). Scheduled; published on demand. */
export const MigrationAudit = define({
  queue: "migration-audits",
  payload: Payload,
  subject: ({ clientId }) => clientId === null ? "migration" : `client:${clientId}`
})
