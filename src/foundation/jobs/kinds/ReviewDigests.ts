import { Duration, Schema } from "effect"
import { define } from "../Job.ts"

/** Publishes the mails to reviewers who have news of apps that wait for review. */
export const ReviewDigests = define({
  queue: "review-digests",
  payload: Schema.Struct({}),
  subject: () => "review-digests",
  schedule: { payload: {}, times: { every: Duration.minutes(1) } }
})
