import { DateTime, Duration, Option } from "effect"

/**
 * When a user has shown who they are, by the claim `auth_time`: seconds of the epoch (OpenID Connect Core 1.0 §2),
 * which clocks that differ may put ahead by as much as is tolerated. Whatever else it is says nothing: taken for now, a
 * time in milliseconds or of tomorrow would make any sign-in recent.
 */
export const authTimeOf = (
  claim: unknown,
  now: DateTime.Utc,
  tolerance: Duration.Duration
): Option.Option<DateTime.Utc> =>
  typeof claim === "number" && claim * 1_000 <= DateTime.toEpochMillis(now) + Duration.toMillis(tolerance)
    ? DateTime.make(claim * 1_000)
    : Option.none()
