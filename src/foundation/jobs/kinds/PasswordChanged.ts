import { Schema } from "effect"
import { UserId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

/** Tells the user of a local account that its password was changed. */
export const PasswordChanged = define({
  queue: "password-changes",
  payload: Schema.Struct({
    userId: UserId,
    /** Actor, as in the audit trail. */
    by: Schema.String
  }),
  subject: ({ userId }) => `user:${userId}`
})
