import { Duration } from "effect"
import { scheduled } from "../Job.ts"

/** Fetches the pictures of apps that have only the address of one, such as imported apps. */
export const MissingLogos = scheduled({
  queue: "missing-logos",
  subject: "logos",
  times: { every: Duration.minutes(10) }
})
