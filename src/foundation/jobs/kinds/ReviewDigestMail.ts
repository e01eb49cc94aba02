import { Schema } from "effect"
import { UserId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

/** Tells a reviewer of all apps that came up for review since the last such mail. */
export const ReviewDigestMail = define({
  queue: "review-digest-mails",
  payload: Schema.Struct({ userId: UserId }),
  subject: ({ userId }) => `user:${userId}`
})
