import { Schema } from "effect"
import { UserId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

export const Payload = Schema.Struct({
  userId: UserId,
  /** Actor, as in the audit trail. */
  by: Schema.String
})
export type Payload = typeof Payload.Type

/** Tells the user of a local account that its password was changed. */
export const PasswordChanged = define({
  queue: "password-changes",
  payload: Payload,
  subject: ({ userId }) => `user:${userId}`
})
