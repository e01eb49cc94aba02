import { Schema } from "effect"
import { ClientId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

/**
 * An event in the life of a client. `submitted`, `resubmitted`, `changed` (a change of an approved client waits for
 * review) and `waiting` (the reminder) go to all administrators; the others go to the owner. `migration`, which
 * asks the owner of a legacy client to move it to scopes, is published by releases before `MigrationMail` alone.
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
  /** The administrator's reason for a rejection or suspension. */
  reason: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type Payload = typeof Payload.Type

/** Tells administrators or the owner what happened to a client. */
export const ReviewNotice = define({
  queue: "review-notices",
  payload: Payload,
  subject: ({ clientId }) => `client:${clientId}`
})
