import { Duration, Schema } from "effect"
import { define } from "../Job.ts"

export const Payload = Schema.Struct({})
export type Payload = typeof Payload.Type

/** Reminds reviewers of clients that have waited for review longer than `REVIEW_REMINDER_AFTER`. */
export const ReviewReminders = define({
  queue: "review-reminders",
  payload: Payload,
  subject: () => "reviews",
  schedule: { payload: {}, times: { every: Duration.hours(1) } }
})
