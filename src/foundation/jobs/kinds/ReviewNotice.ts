import { Schema } from "effect"
import { ClientId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

/**
 * What happened to a client. `submitted`, `resubmitted`, `changed` (an approved client waits for review of a change)
 * and `waiting` (the reminder) go to all administrators; the others to the owner. `migration` asks the owner of a client
 * from before scopes to move it to them.
 */
export const ReviewEvent = Schema.Literals([
  "submitted",
  "resubmitted",
  "changed",
  "waiting",
  "approved",
  "rejected",
  "change-approved",
  "change-rejected",
  "suspended",
  "resumed",
  "migration"
])
export type ReviewEvent = typeof ReviewEvent.Type

export const Payload = Schema.Struct({
  clientId: ClientId,
  event: ReviewEvent,
  /** The administrator's words at a rejection or suspension. */
  reason: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type Payload = typeof Payload.Type

/** Tells the people concerned what happened to a client in review. */
export const ReviewNotice = define({
  queue: "review-notices",
  payload: Payload,
  subject: ({ clientId }) => `client:${clientId}`
})
