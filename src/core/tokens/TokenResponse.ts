import { Duration, Schema } from "effect"
import * as Scope from "../../domain/scopes/Scope.ts"
import { accessTokenLifetime } from "../keys/AccessTokenLifetime.ts"

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

export const tokenResponse = (tokens: {
  readonly accessToken: string
  readonly refreshToken: string
  readonly scopes: Scope.GrantedScopes
}): TokenResponse => ({
  access_token: tokens.accessToken,
  refresh_token: tokens.refreshToken,
  token_type: "bearer",
  expires_in: Duration.toSeconds(accessTokenLifetime),
  scope: Scope.format(tokens.scopes ?? [])
})
