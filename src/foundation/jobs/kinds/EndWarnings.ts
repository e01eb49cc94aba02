import { Schema } from "effect"
import { define } from "../Job.ts"

/** Finds imported grants and API keys that are about to end, and publishes the mails to their owners. */
export const EndWarnings = define({
  queue: "end-warnings",
  payload: Schema.Struct({}),
  subject: () => "end-warnings",
  schedule: { payload: {}, times: { cron: "0 4 * * *" } }
})
