import { Schema } from "effect"
import { UserId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

const Payload = Schema.Struct({ userId: UserId })

/** Tells a reviewer of all apps that came up for review since the last such mail. */
export const ReviewDigestMail = define({
  queue: "review-digest-mails",
  payload: Payload,
  subject: ({ userId }) => `user:${userId}`
})
