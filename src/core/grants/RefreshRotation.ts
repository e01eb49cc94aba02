import { DateTime, type Duration } from "effect"
import { timingSafeEqual } from "node:crypto"
import type { ClientId, GrantId } from "../../domain/Ids.ts"
import * as Scope from "../../domain/scopes/Scope.ts"
import { type Grant, lives } from "./Grant.ts"

/** A refresh token, presented by a client (RFC 6749 §6). */
export interface Rotation {
  readonly grantId: GrantId
  readonly handleDigest: Uint8Array
  readonly generation: number
  readonly clientId: ClientId
  /** Of the secret with which the client shows itself; a public one has none. */
  readonly secretDigest: Uint8Array | null
  /** The scopes asked for; `null` asks for all that were granted. */
  readonly scopes: ReadonlyArray<Scope.Scope> | null
}

/** What new tokens of a grant are made of. */
export type Renewed = Pick<Grant, "userId" | "scopes" | "generation" | "rotatedAt">

export type Rotated =
  /** The client has shown itself and the token was replaced: `grant` is the state after it. */
  | { readonly _tag: "Rotated"; readonly grant: Renewed }
  /** It was replaced a moment ago: who repeats the request gets the same answer. */
  | { readonly _tag: "Repeated"; readonly grant: Renewed }
  /** It was replaced before the grace: somebody else has used it (RFC 9700 §4.14.2). */
  | { readonly _tag: "Reused"; readonly grant: Renewed }
  | { readonly _tag: "ScopeExceeded" }
  | { readonly _tag: "Refused"; readonly reason: string }
  /** The token is in order, so it is the client that is not. */
  | { readonly _tag: "ClientNotAuthenticated" }

/**
 * Judges a token that could not be rotated just now; whether the client has shown itself is not known here. In an
 * otherwise valid request only, an old token proves theft.
 */
export const judge = (
  rotation: Rotation,
  grant: Grant | undefined,
  now: DateTime.Utc,
  settings: { readonly grantIdleLifetime: Duration.Duration; readonly refreshGrace: Duration.Duration }
): Rotated => {
  if (grant === undefined) return refused("the grant does not exist")
  if (!timingSafeEqual(grant.handleDigest, rotation.handleDigest)) return refused("the handle is wrong")
  if (grant.clientId !== rotation.clientId) return refused("the grant is another client's")
  if (!lives(grant, now, settings.grantIdleLifetime)) return refused("the grant has ended")
  if (exceeds(rotation.scopes, grant.scopes)) return { _tag: "ScopeExceeded" }
  if (rotation.generation === grant.generation) return { _tag: "ClientNotAuthenticated" }
  if (rotation.generation > grant.generation) return refused("the generation is not known")
  const { generation, rotatedAt, scopes, userId } = grant
  const graceEnds = DateTime.addDuration(rotatedAt, settings.refreshGrace)
  const repeated = rotation.generation === generation - 1 && DateTime.isLessThan(now, graceEnds)
  return { _tag: repeated ? "Repeated" : "Reused", grant: { userId, scopes, generation, rotatedAt } }
}

const exceeds = (wanted: ReadonlyArray<Scope.Scope> | null, granted: Scope.GrantedScopes): boolean =>
  wanted !== null && granted !== null && !Scope.isSubset(wanted, granted)

const refused = (reason: string): Rotated => ({ _tag: "Refused", reason })
