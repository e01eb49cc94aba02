import { Duration } from "effect"
import { scheduled } from "../Job.ts"

/** Asks the websites of apps that wait for review whether they answer. */
export const WebsiteLooks = scheduled({
  queue: "website-looks",
  subject: "websites",
  times: { every: Duration.minutes(5) }
})
