import { Schema } from "effect"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

/** Tells a user that an app was given to them, or was theirs and is another's now. */
export const OwnerChange = define({
  queue: "owner-changes",
  payload: Schema.Struct({
    /** User to tell. */
    userId: UserId,
    clientId: ClientId,
    /** True if the app is theirs now; false if it was. */
    isOwner: Schema.Boolean
  }),
  subject: ({ userId }) => `user:${userId}`
})
