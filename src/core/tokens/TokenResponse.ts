import { Schema } from "effect"

/**
 * Answer of the token endpoint (specification §2.2, RFC 6749 §5.1), with the ends of what was given
 * (draft-ietf-oauth-refresh-token-expiration-02).
 */
export const TokenResponse = Schema.Struct({
  access_token: Schema.String,
  refresh_token: Schema.String,
  token_type: Schema.Literal("bearer"),
  /** Less than half an hour where the user's authorization ends before. */
  expires_in: Schema.Int,
  /** Seconds for which the refresh token may be held without being exchanged. */
  refresh_token_timeout: Schema.Int,
  /** Seconds until the user's authorization ends, however often it is refreshed. */
  authorization_expires_in: Schema.Int,
  /** Empty for a legacy grant, which no scope restricts. */
  scope: Schema.String
}).annotate({ identifier: "TokenResponse" })
export type TokenResponse = typeof TokenResponse.Type
