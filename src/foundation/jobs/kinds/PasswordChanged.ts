import { Schema } from "effect"
import { UserId } from "../../../domain/Ids.ts"
import { Device } from "../Device.ts"
import { define } from "../Job.ts"

/** Tells the user of a local account that its password was changed. */
export const PasswordChanged = define({
  queue: "password-changes",
  payload: Schema.Struct({
    userId: UserId,
    /** Actor, as in the audit trail. */
    by: Schema.String,
    /** Of the user; nobody else's. */
    device: Schema.optionalKey(Device)
  }),
  subject: ({ userId }) => `user:${userId}`
})
