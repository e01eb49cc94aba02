import type { DateTime } from "effect"
import type { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import type { GrantedScopes } from "../../domain/scopes/Scope.ts"

/** A request to redeem a code (RFC 6749 §4.1.3), and the grant that it opens if it succeeds. */
export interface Redemption {
  /** Digest of the code. */
  readonly digest: Uint8Array
  readonly clientId: ClientId
  /** Digest of the secret that the client sent; `null` when it sent none, as a public one does. */
  readonly secretDigest: Uint8Array | null
  readonly redirectUri: string
  /** S256 challenge of the verifier that was sent (RFC 7636 §4.6); `null` when none was sent. */
  readonly codeChallenge: string | null
  /**
   * Resource for which the request says that the code is (RFC 8707 §2.2): `null` is the API; absent where it says
   * nothing.
   */
  readonly resource?: string | null
  readonly grantId: GrantId
  readonly handleDigest: Uint8Array
}

export type RedemptionOutcome =
  /** The client authenticated, its code is spent and the grant is open. */
  | {
    readonly _tag: "Redeemed"
    readonly grantId: GrantId
    readonly userId: UserId
    readonly scopes: GrantedScopes
    /** Resource for which the grant is; absent or `null` for the API. */
    readonly resource?: string | null
    /** The client is a legacy client whose scopes have been saved. */
    readonly migrated: boolean
    /** When the grant was opened, which `GrantStore.open` returns. */
    readonly openedAt: DateTime.Utc
    /** When the grant expires, if that is before the lifetime of grants (`GRANT_LIFETIME`) ends. */
    readonly expiresAt?: DateTime.Utc | null
  }
  /** The code was spent before: the grant that it opened must end (RFC 6749 §4.1.2). */
  | { readonly _tag: "Replayed"; readonly grantId: GrantId; readonly userId: UserId }
  /** The user is known where the code was issued to this client. */
  | { readonly _tag: "Refused"; readonly reason: string; readonly userId?: UserId }
  /** The code is for another resource than the request names, and stays unspent. */
  | { readonly _tag: "OtherResource"; readonly userId: UserId }
  /** The code is in order, so it was the client that did not authenticate, or is not approved. */
  | { readonly _tag: "ClientNotAuthenticated" }

/** A code as a store keeps it. */
export interface StoredCode {
  readonly clientId: ClientId
  readonly userId: UserId
  readonly redirectUri: string
  readonly codeChallenge: string | null
  /** Resource for which it is; absent or `null` for the API. */
  readonly resource?: string | null
  readonly expiresAt: Date
  /** Grant that it opened when it was spent. */
  readonly grantId: GrantId | null
}

/**
 * Explains why a redemption did not spend its code. It is not known here if the client authenticated. A replay is only
 * what would otherwise be a valid request, so the check for it comes last.
 */
export const explainRefusal = (
  redemption: Redemption,
  code: StoredCode | undefined,
  now: Date
): RedemptionOutcome => {
  if (code === undefined) return refused("the code does not exist")
  if (code.clientId !== redemption.clientId) return refused("the code was issued to another client")
  if (code.redirectUri !== redemption.redirectUri) return refused("the redirect_uri differs", code.userId)
  if (code.codeChallenge !== redemption.codeChallenge) {
    return refused(pkceFault(code.codeChallenge, redemption), code.userId)
  }
  if (redemption.resource !== undefined && redemption.resource !== (code.resource ?? null)) {
    return { _tag: "OtherResource", userId: code.userId }
  }
  if (code.expiresAt <= now) return refused("the code has expired", code.userId)
  if (code.grantId === null) return { _tag: "ClientNotAuthenticated" }
  return { _tag: "Replayed", grantId: code.grantId, userId: code.userId }
}

/** Why PKCE failed (RFC 7636 §4.6), which the app's owner reads. */
const pkceFault = (challenge: string | null, redemption: Redemption): string => {
  if (challenge === null) return "a code_verifier came, but the authorization request had no code_challenge"
  if (redemption.codeChallenge === null) {
    return "the code_verifier is missing: the authorization request had a code_challenge"
  }
  return "the code_verifier is wrong"
}

const refused = (reason: string, userId?: UserId): RedemptionOutcome => ({
  _tag: "Refused",
  reason,
  ...userId !== undefined && { userId }
})
