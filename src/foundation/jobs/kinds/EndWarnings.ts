import { scheduled } from "../Job.ts"

/** Finds imported grants, API keys and secrets that are about to end, and publishes the mails to their owners. */
export const EndWarnings = scheduled({ queue: "end-warnings", subject: "end-warnings", times: { cron: "0 4 * * *" } })
