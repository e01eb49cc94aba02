import type { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import type { GrantedScopes } from "../../domain/scopes/Scope.ts"

/** A code, presented by a client (RFC 6749 §4.1.3), and the grant that it shall become. */
export interface Redemption {
  readonly digest: Uint8Array
  readonly clientId: ClientId
  /** Of the secret with which the client shows itself; a public one has none. */
  readonly secretDigest: Uint8Array | null
  readonly redirectUri: string
  /** What the challenge must be for the verifier that was sent; `null` when none was (RFC 7636 §4.6). */
  readonly codeChallenge: string | null
  readonly grantId: GrantId
  readonly handleDigest: Uint8Array
}

export type Redeemed =
  /** The client has shown itself, and it was its code. */
  | {
    readonly _tag: "Redeemed"
    readonly grantId: GrantId
    readonly userId: UserId
    readonly scopes: GrantedScopes
    /** Whether the client is from before scopes and its scopes have been saved since. */
    readonly migrated: boolean
  }
  /** The code was spent before: what it became must end (RFC 6749 §4.1.2). */
  | { readonly _tag: "Replayed"; readonly grantId: GrantId; readonly userId: UserId }
  | { readonly _tag: "Refused"; readonly reason: string }
  /** The code is in order, so it is the client that is not. */
  | { readonly _tag: "ClientNotAuthenticated" }

/** A row of `codes` as the driver reads it. */
export interface CodeRow {
  readonly digest: Uint8Array
  readonly clientId: ClientId
  readonly userId: UserId
  readonly redirectUri: string
  readonly codeChallenge: string | null
  readonly expiresAt: Date
  readonly grantId: GrantId | null
}

/**
 * Judges a redemption that did not spend its code; whether the client has shown itself is not known here. Only an
 * otherwise valid request replays a code.
 */
export const judge = (redemption: Redemption, code: CodeRow | undefined, now: Date): Redeemed => {
  if (code === undefined) return refused("the code does not exist")
  if (code.clientId !== redemption.clientId) return refused("the code was issued to another client")
  if (code.redirectUri !== redemption.redirectUri) return refused("the redirect_uri differs")
  if (code.codeChallenge !== redemption.codeChallenge) return refused("the code_verifier is wrong")
  if (code.expiresAt <= now) return refused("the code has expired")
  if (code.grantId === null) return { _tag: "ClientNotAuthenticated" }
  return { _tag: "Replayed", grantId: code.grantId, userId: code.userId }
}

const refused = (reason: string): Redeemed => ({ _tag: "Refused", reason })
