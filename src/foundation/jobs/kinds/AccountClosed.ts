import { Schema } from "effect"
import { UserId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

/** Tells the former user of an account that it is closed; nothing but the job knows the address any more. */
export const AccountClosed = define({
  queue: "account-closed",
  payload: Schema.Struct({
    /** Id of an account that is gone. */
    userId: UserId,
    email: Schema.String,
    name: Schema.String
  }),
  subject: ({ userId }) => `user:${userId}`
})
