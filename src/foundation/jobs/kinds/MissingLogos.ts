import { Duration, Schema } from "effect"
import { define } from "../Job.ts"

/** Fetches the pictures of apps that have only the address of one, such as imported apps. */
export const MissingLogos = define({
  queue: "missing-logos",
  payload: Schema.Struct({}),
  subject: () => "logos",
  schedule: { payload: {}, times: { every: Duration.minutes(10) } }
})
