import { Schema } from "effect"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import { ScopeName } from "../../../domain/scopes/Scope.ts"
import { define } from "../Job.ts"

/** Tells a user who has asked for the review of an app what was decided. */
export const WishAnswer = define({
  queue: "wish-answers",
  payload: Schema.Struct({
    /** User to tell. */
    userId: UserId,
    clientId: ClientId,
    isApproved: Schema.Boolean,
    /** Reviewer's reason for a rejection. */
    reason: Schema.NullOr(Schema.String),
    /** Scopes that the app asked the user for. */
    scopes: Schema.Array(ScopeName)
  }),
  subject: ({ userId }) => `user:${userId}`
})
