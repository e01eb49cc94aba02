import { Schema } from "effect"
import { define } from "../Job.ts"

export const Payload = Schema.Struct({})
export type Payload = typeof Payload.Type

/** Makes the next keys of the server when it is time, and deletes those whose last token has died. Scheduled. */
export const KeyRotation = define({ queue: "key-rotation", payload: Payload, subject: () => "keys" })
