import { Duration, Schema } from "effect"
import { define } from "../Job.ts"

export const Payload = Schema.Struct({})
export type Payload = typeof Payload.Type

/** Makes the next keys of the server when they are due, and deletes those whose last token has expired. */
export const KeyRotation = define({
  queue: "key-rotation",
  payload: Payload,
  subject: () => "keys",
  schedule: { payload: {}, times: { every: Duration.hours(6) } }
})
