import { Schema } from "effect"
import { Scope } from "../scopes/Scope.ts"

/** The access token is missing, malformed, expired, or its grant or client has ended (RFC 6750 §3.1): 401. */
export class InvalidToken extends Schema.TaggedError<InvalidToken>()("InvalidToken", {
  /** For the log; the caller is never told which check failed. */
  reason: Schema.String
}) {}

/** The token does not cover the scope that the operation needs (RFC 6750 §3.1): 403. */
export class InsufficientScope extends Schema.TaggedError<InsufficientScope>()("InsufficientScope", {
  scope: Scope
}) {}
