import type { DateTime } from "effect"
import type { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import type { GrantedScopes } from "../../domain/scopes/Scope.ts"

/** Claims that an access token is made of. */
export interface AccessToken {
  readonly userId: UserId
  readonly clientId: ClientId
  readonly grantId: GrantId
  readonly scopes: GrantedScopes
  /** Identifier of the resource for which it is; absent or `null` for the API. */
  readonly resource?: string | null
  /** Generation of the refresh token that was issued with it. */
  readonly generation: number
}

/** Claims of a token whose origin, issuer, audience and expiry were verified. */
export interface VerifiedToken extends Omit<AccessToken, "resource"> {
  readonly id: string
  /** Resource for which it is: the identifier of one, or the address of the API. */
  readonly audience: string
  readonly issuedAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}
