import { Duration } from "effect"
import { scheduled } from "../Job.ts"

export const Expiry = scheduled({ queue: "expiry", subject: "expiry", times: { every: Duration.minutes(5) } })
