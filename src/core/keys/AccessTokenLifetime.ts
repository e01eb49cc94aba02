import { Duration } from "effect"

/** Lifetime of an access token (specification §2.2). */
export const accessTokenLifetime = Duration.minutes(30)
