import { Duration } from "effect"

/** The lifetime of an access token (specification §2.2). */
export const accessTokenLifetime = Duration.minutes(30)
