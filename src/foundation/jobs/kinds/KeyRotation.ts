import { Duration, Schema } from "effect"
import { define } from "../Job.ts"

/** Makes the next keys of the server when they are due, and deletes those whose last token has expired. */
export const KeyRotation = define({
  queue: "key-rotation",
  payload: Schema.Struct({}),
  subject: () => "keys",
  schedule: { payload: {}, times: { every: Duration.hours(6) } }
})
