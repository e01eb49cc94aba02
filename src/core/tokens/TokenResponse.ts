import { Schema } from "effect"

/** Answer of the token endpoint (specification §2.2, RFC 6749 §5.1). */
export const TokenResponse = Schema.Struct({
  access_token: Schema.String,
  refresh_token: Schema.String,
  token_type: Schema.Literal("bearer"),
  expires_in: Schema.Int,
  /** Empty for a legacy grant, which no scope restricts. */
  scope: Schema.String
}).annotate({ identifier: "TokenResponse" })
export type TokenResponse = typeof TokenResponse.Type
