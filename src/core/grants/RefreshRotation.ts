import { DateTime, Duration } from "effect"
import { timingSafeEqual } from "node:crypto"
import type { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import * as Scope from "../../domain/scopes/Scope.ts"
import { type GraceWindows, repeatableUntil } from "./GraceWindows.ts"
import { endsAt as endOf, type Grant, isLive } from "./Grant.ts"

/** A request to replace a refresh token (RFC 6749 §6), as what the token says. */
export interface Rotation {
  readonly grantId: GrantId
  readonly handleDigest: Uint8Array
  readonly generation: number
  readonly clientId: ClientId
  /** Digest of the secret that the client sent; `null` when it sent none, as a public one does. */
  readonly secretDigest: Uint8Array | null
  /** Scopes asked for; `null` asks for all that were granted. */
  readonly scopes: Scope.GrantedScopes
  /** Resource that the request names (RFC 8707 §2.2): `null` is the API; absent where it names none. */
  readonly resource?: string | null
  /** Monotonic time at which the request came, in nanoseconds. */
  readonly receivedAt: bigint
}

/** Parts of a grant from which its new tokens are made. */
export interface RotatedGrant
  extends Pick<Grant, "userId" | "scopes" | "resource" | "generation" | "rotatedAt" | "expiresAt">
{
  /** When it ends unless it is refreshed again, which is no later than it expires. */
  readonly endsAt: DateTime.Utc
}

export type RotationOutcome =
  /**
   * The client authenticated and the token was replaced; `grant` is the state after it. The access token is issued at
   * `issuedAt`.
   */
  | { readonly _tag: "Rotated"; readonly grant: RotatedGrant; readonly issuedAt: DateTime.Utc }
  /** The token was replaced within the grace: the client repeats its request and gets the newest refresh token. */
  | { readonly _tag: "Repeated"; readonly grant: RotatedGrant; readonly issuedAt: DateTime.Utc }
  /** The token was replaced earlier than the grace allows: two parties hold it (RFC 9700 §4.14.2). */
  | { readonly _tag: "Reused"; readonly grant: RotatedGrant }
  | { readonly _tag: "ScopeExceeded"; readonly userId: UserId }
  /** The grant is for another resource than the request names. */
  | { readonly _tag: "OtherResource"; readonly userId: UserId }
  /** The user is known where the token is of a grant to this client. */
  | { readonly _tag: "Refused"; readonly reason: string; readonly userId?: UserId }
  /** The token is in order, so it was the client that did not authenticate, or is not approved. */
  | { readonly _tag: "ClientNotAuthenticated" }

/** A grant as the database found it. */
export interface FoundGrant {
  readonly grant: Grant
  readonly readAt: DateTime.Utc
  /** Monotonic time, in nanoseconds, at which the statement that reads it was sent. */
  readonly soughtAt: bigint
  /** Milliseconds for which the commit of the last rotation waited, so that nobody could have its answer. */
  readonly waited: number
  readonly windows: GraceWindows
  /** A repeat has handed out the current generation, which therefore stays the newest until the grace is over. */
  readonly isRepeated: boolean
  /** The grace lasts until the current generation is used, and no use of it was noted. */
  readonly awaitsFirstUse: boolean
  /** The grant was imported from a server that did not rotate, so its app may send the imported token forever. */
  readonly keepsImported: boolean
  /** The grant ended because its user authorized the app again after its scopes were saved (specification §5.6). */
  readonly isSuperseded: boolean
}

/** Reason of a refusal that only the move to scopes has caused. */
export const supersededReason = "the grant has ended: its user authorized the app again after its scopes were saved"

interface RotationSettings {
  readonly grantIdleLifetime: Duration.Duration
  readonly refreshGrace: Duration.Duration
  readonly refreshGraceMax: Duration.Duration
}

/**
 * Explains why a token was not rotated just now. It is not known here if the client authenticated. An old token proves
 * theft only in what would otherwise be a valid request, so the check for it comes last.
 */
export const explainRefusal = (
  rotation: Rotation,
  found: FoundGrant | undefined,
  settings: RotationSettings
): RotationOutcome => {
  if (found === undefined) return refused("the grant does not exist")
  const { grant, readAt } = found
  if (!timingSafeEqual(grant.handleDigest, rotation.handleDigest)) return refused("the handle is wrong")
  if (grant.clientId !== rotation.clientId) return refused("the grant is another client's")
  if (found.isSuperseded) return refused(supersededReason, grant.userId)
  if (!isLive(grant, readAt, settings.grantIdleLifetime)) return refused("the grant has ended", grant.userId)
  if (exceeds(rotation.scopes, grant.scopes)) return { _tag: "ScopeExceeded", userId: grant.userId }
  if (rotation.resource !== undefined && rotation.resource !== grant.resource) {
    return { _tag: "OtherResource", userId: grant.userId }
  }
  const { expiresAt, generation, resource, rotatedAt, scopes, userId } = grant
  const endsAt = endOf(grant, settings.grantIdleLifetime)
  const current = { userId, scopes, resource, generation, rotatedAt, expiresAt, endsAt }
  const repeated = { _tag: "Repeated", grant: current, issuedAt: readAt } as const
  if (rotation.generation >= generation) {
    const isKept = rotation.generation === generation && found.isRepeated && isWithinGrace(found, settings)
    return isKept ? repeated : { _tag: "ClientNotAuthenticated" }
  }
  const end = graceEndsAt(rotation, found, settings)
  if (end !== null && DateTime.isLessThan(timeOf(found), end)) return repeated
  const isPredecessor = rotation.generation === generation - 1
  const isLate = isOvertaken(rotation, found)
  if (isPredecessor && (isLate || isImportedAlone(found))) return repeated
  if (isLate) return refused("a later request of its client was served before it", userId)
  return { _tag: "Reused", grant: repeated.grant }
}

/**
 * Tells whether the last rotation was so short a time ago that what it replaced is a repeat, even if newer tokens were
 * used.
 */
export const isWithinGrace = (found: FoundGrant | undefined, { refreshGrace }: RotationSettings): boolean =>
  found !== undefined && DateTime.isLessThan(timeOf(found), DateTime.addDuration(found.grant.rotatedAt, refreshGrace))

/** Time by which a grace is judged: it stands still while a commit waits. */
const timeOf = ({ readAt, waited }: FoundGrant): DateTime.Utc => DateTime.subtract(readAt, { milliseconds: waited })

/**
 * Tells whether the use of an imported token is to be noted, so that the grant does not count as idle: once a day, so
 * that an app that refreshes often does not cost a write each time.
 */
export const isUseToNote = (found: FoundGrant | undefined): boolean =>
  found !== undefined && isImportedAlone(found) &&
  DateTime.isGreaterThanOrEqualTo(found.readAt, DateTime.add(found.grant.rotatedAt, { days: 1 }))

/**
 * The grant moved on while the request was held up, as by a database that stood still. The client may have given it up
 * and repeated it with success, so what the grant says now proves no theft. A token that was the newest until then was
 * in order.
 */
const isOvertaken = ({ receivedAt }: Rotation, { grant, readAt, soughtAt }: FoundGrant): boolean => {
  const waited = Number(soughtAt - receivedAt) / 1_000_000
  return DateTime.isLessThan(DateTime.subtract(readAt, { milliseconds: waited - clockTolerance }), grant.rotatedAt)
}

/** Milliseconds by which the database's clock and the monotonic one may move apart during a request. */
const clockTolerance = 100

/** The app has never presented a refresh token of ours, so that it may not know that tokens are replaced at all. */
const isImportedAlone = ({ grant, keepsImported }: FoundGrant): boolean => keepsImported && grant.generation === 1

/** Time until which the token is a repeat; that the successor was not used yet covers the one just replaced alone. */
const graceEndsAt = (
  { generation }: Rotation,
  { awaitsFirstUse, grant, windows }: FoundGrant,
  { refreshGrace, refreshGraceMax }: RotationSettings
): DateTime.Utc | null =>
  awaitsFirstUse && generation === grant.generation - 1
    ? DateTime.addDuration(grant.rotatedAt, Duration.max(refreshGrace, refreshGraceMax))
    : repeatableUntil(generation, grant, windows, refreshGrace)

const exceeds = (wanted: Scope.GrantedScopes, granted: Scope.GrantedScopes): boolean =>
  wanted !== null && granted !== null && !Scope.isSubset(wanted, granted)

const refused = (reason: string, userId?: UserId): RotationOutcome => ({
  _tag: "Refused",
  reason,
  ...userId !== undefined && { userId }
})
