import { Duration } from "effect"
import { scheduled } from "../Job.ts"

/** Reminds reviewers of clients that have waited for review longer than `REVIEW_REMINDER_AFTER`. */
export const ReviewReminders = scheduled({
  queue: "review-reminders",
  subject: "reviews",
  times: { every: Duration.hours(1) }
})
