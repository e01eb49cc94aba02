import { Schema } from "effect"
import { UserId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

const Payload = Schema.Struct({
  userId: UserId,
  /** Actor, as in the audit trail. */
  by: Schema.String
})

/** Tells the user of a local account that its password was changed. */
export const PasswordChanged = define({
  queue: "password-changes",
  payload: Payload,
  subject: ({ userId }) => `user:${userId}`
})
