import { Duration, Schema } from "effect"
import { define } from "../Job.ts"

export const Payload = Schema.Struct({})
export type Payload = typeof Payload.Type

/** Deletes rows that have expired. */
export const Expiry = define({
  queue: "expiry",
  payload: Payload,
  subject: () => "expiry",
  schedule: { payload: {}, times: { every: Duration.minutes(5) } }
})
