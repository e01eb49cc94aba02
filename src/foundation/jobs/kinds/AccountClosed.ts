import { Schema } from "effect"
import { UserId } from "../../../domain/Ids.ts"
import { Device } from "../Device.ts"
import { define } from "../Job.ts"

/** Tells the former user of an account that it is closed; nothing but the job knows the address any more. */
export const AccountClosed = define({
  queue: "account-closed",
  payload: Schema.Struct({
    /** Id of an account that is gone. */
    userId: UserId,
    email: Schema.String,
    name: Schema.String,
    /** Preferences that the account had. */
    reader: Schema.optionalKey(
      Schema.Struct({ locale: Schema.String, timeZone: Schema.String, timeFormat: Schema.Literals([12, 24]) })
    ),
    device: Schema.optionalKey(Device)
  }),
  subject: ({ userId }) => `user:${userId}`
})
