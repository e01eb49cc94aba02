import { Schema } from "effect"
import { define } from "../Job.ts"

export const Payload = Schema.Struct({})
export type Payload = typeof Payload.Type

/** Deletes rows that have expired. Scheduled; published to purge at once. */
export const Expiry = define({ queue: "expiry", payload: Payload, subject: () => "expiry" })
