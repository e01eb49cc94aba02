import { Duration, Schema } from "effect"
import { define } from "../Job.ts"

/** Deletes rows that have expired. */
export const Expiry = define({
  queue: "expiry",
  payload: Schema.Struct({}),
  subject: () => "expiry",
  schedule: { payload: {}, times: { every: Duration.minutes(5) } }
})
