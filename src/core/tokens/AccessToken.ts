import type { DateTime } from "effect"
import type { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import type { GrantedScopes } from "../../domain/scopes/Scope.ts"

/** Claims that an access token is made of. */
export interface AccessToken {
  readonly userId: UserId
  readonly clientId: ClientId
  readonly grantId: GrantId
  readonly scopes: GrantedScopes
  /** Generation of the refresh token that was issued with it. */
  readonly generation: number
}

/** Claims of a token whose origin, issuer, audience and expiry were verified. */
export interface VerifiedToken extends AccessToken {
  readonly id: string
  readonly issuedAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}
