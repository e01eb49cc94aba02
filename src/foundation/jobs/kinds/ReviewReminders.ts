import { Duration, Schema } from "effect"
import { define } from "../Job.ts"

/** Reminds reviewers of clients that have waited for review longer than `REVIEW_REMINDER_AFTER`. */
export const ReviewReminders = define({
  queue: "review-reminders",
  payload: Schema.Struct({}),
  subject: () => "reviews",
  schedule: { payload: {}, times: { every: Duration.hours(1) } }
})
