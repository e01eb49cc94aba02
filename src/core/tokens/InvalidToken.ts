import { Schema } from "effect"

/** The access token is malformed, expired, or its grant or client has ended (RFC 6750 §3.1). */
export class InvalidToken extends Schema.TaggedError<InvalidToken>()("InvalidToken", {
  /** Check that failed: for the log, never for the caller. */
  reason: Schema.String
}) {}
