import { Schema } from "effect"
import { define } from "../Job.ts"

export const Payload = Schema.Struct({})
export type Payload = typeof Payload.Type

/** Finds imported grants and API keys that are about to end, and publishes the mails to their owners. */
export const EndWarnings = define({
  queue: "end-warnings",
  payload: Payload,
  subject: () => "end-warnings",
  schedule: { payload: {}, times: { cron: "0 4 * * *" } }
})
