import { Duration } from "effect"
import { scheduled } from "../Job.ts"

/** Publishes the mails to reviewers who have news of apps that wait for review. */
export const ReviewDigests = scheduled({
  queue: "review-digests",
  subject: "review-digests",
  times: { every: Duration.minutes(1) }
})
