import { Duration } from "effect"
import { scheduled } from "../Job.ts"

/** Makes the next keys of the server when they are due, and deletes those whose last token has expired. */
export const KeyRotation = scheduled({ queue: "key-rotation", subject: "keys", times: { every: Duration.hours(6) } })
