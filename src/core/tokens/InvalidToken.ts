import { Schema } from "effect"

/** The access token is malformed, expired, or its grant or client has ended (RFC 6750 §3.1). */
export class InvalidToken extends Schema.TaggedError<InvalidToken>()("InvalidToken", {
  /** For the log; the caller is never told which check failed. */
  reason: Schema.String
}) {}
