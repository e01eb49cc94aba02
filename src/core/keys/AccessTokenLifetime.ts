import { Duration } from "effect"

/** How long an access token lives (specification §2.2). */
export const accessTokenLifetime = Duration.minutes(30)
