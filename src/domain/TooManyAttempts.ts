import { Duration, Schema } from "effect"

/**
 * Too many guesses of a secret or a password, or too many actions; the next one is accepted after `retryAfter`
 * (RFC 6585 §4).
 */
export class TooManyAttempts extends Schema.TaggedError<TooManyAttempts>()("TooManyAttempts", {
  retryAfter: Schema.Duration
}) {}

/** Time to wait, in whole minutes. */
export const waitMinutes = ({ retryAfter }: TooManyAttempts): number =>
  Math.max(1, Math.ceil(Duration.toMinutes(retryAfter)))

/** Value of `Retry-After`, in whole seconds (RFC 9110 §10.2.3). */
export const retryAfterSeconds = ({ retryAfter }: TooManyAttempts): string =>
  String(Math.max(1, Math.ceil(Duration.toSeconds(retryAfter))))
