import { Schema } from "effect"

/** A session as it is shown to its user. */
export const LiveSession = Schema.Struct({
  /** Digest of the session token: with it a session can be named, and not used. */
  id: Schema.String,
  createdAt: Schema.DateTimeUtcFromDate,
  /** Last use, to the minute. */
  lastSeenAt: Schema.DateTimeUtcFromDate,
  /** `User-Agent` header at the sign-in. */
  userAgent: Schema.NullOr(Schema.String),
  /** Network that it was last used from. */
  address: Schema.NullOr(Schema.String)
})
export type LiveSession = typeof LiveSession.Type
