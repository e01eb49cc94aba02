import { Schema } from "effect"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

/**
 * Event after which a client waits for review; `waiting` is the reminder, `answered` follows a question to its owner,
 * and `wished` is a user who asks for the review. After the last two nothing waits, but the owner of the client has
 * left the platform, with or without another in their place. Reviewers hear of it in digests.
 */
export const WaitingEvent = Schema.Literals([
  "submitted",
  "resubmitted",
  "changed",
  "waiting",
  "answered",
  "wished",
  "inherited",
  "ownerless"
])
export type WaitingEvent = typeof WaitingEvent.Type

/** Event of which the owner of the client gets a mail. */
export const OwnerEvent = Schema.Literals([
  "approved",
  "rejected",
  "change-approved",
  "change-rejected",
  "rejection-undone",
  "change-rejection-undone",
  "suspended",
  "resumed",
  "asked"
])
export type OwnerEvent = typeof OwnerEvent.Type

export const ReviewEvent = Schema.Literals([...WaitingEvent.literals, ...OwnerEvent.literals])
export type ReviewEvent = typeof ReviewEvent.Type

/** Client right after the event: what it is when the job is done may have happened since. */
export const ClientState = Schema.Struct({ name: Schema.String, website: Schema.String, status: Schema.String })
export type ClientState = typeof ClientState.Type

/** A field of the client that the event changed, or that the owner wants changed. */
export const Change = Schema.Struct({
  field: Schema.String,
  removed: Schema.Array(Schema.String),
  added: Schema.Array(Schema.String)
})
export type Change = typeof Change.Type

/** Tells reviewers or the owner what happened to a client. */
export const ReviewNotice = define({
  queue: "review-notices",
  payload: Schema.Struct({
    clientId: ClientId,
    event: ReviewEvent,
    /** Without it, what the client is when the job is done. */
    state: Schema.optionalKey(ClientState),
    /** Reviewer's reason for a rejection, its undoing, or a suspension; or the question. */
    reason: Schema.optionalKey(Schema.NullOr(Schema.String)),
    /** Change that was decided on. */
    changes: Schema.optionalKey(Schema.Array(Change)),
    /** Whose the client was and was to be, where that was decided on. */
    transfer: Schema.optionalKey(Schema.Struct({ from: UserId, to: UserId })),
    /** Scopes that were asked for and that the reviewer left out of the approval. */
    leftOut: Schema.optionalKey(Schema.Array(Schema.String))
  }),
  subject: ({ clientId }) => `client:${clientId}`
})
