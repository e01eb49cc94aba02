import { DateTime, Duration } from "effect"
import type { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import type { GrantedScopes } from "../../domain/scopes/Scope.ts"

/** One consent, exchanged once. All tokens of it share its scopes and its fate. */
export interface Grant {
  readonly id: GrantId
  /** Of the private handle that its refresh tokens hold. */
  readonly handleDigest: Uint8Array
  readonly clientId: ClientId
  readonly userId: UserId
  readonly scopes: GrantedScopes
  /** How often it was refreshed: the generation of its refresh token. */
  readonly generation: number
  readonly createdAt: DateTime.Utc
  /** When its refresh token was last replaced; at first when it was created. */
  readonly rotatedAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
  readonly revokedAt: DateTime.Utc | null
}

/** A row of `grants` as the driver reads it; our own table needs no schema on the hot path. */
export interface GrantRow {
  readonly id: GrantId
  readonly handleDigest: Uint8Array
  readonly clientId: ClientId
  readonly userId: UserId
  readonly scopes: GrantedScopes
  readonly generation: number
  readonly createdAt: Date
  readonly rotatedAt: Date
  readonly expiresAt: Date
  readonly revokedAt: Date | null
}

export const fromRow = (row: GrantRow): Grant => ({
  id: row.id,
  handleDigest: row.handleDigest,
  clientId: row.clientId,
  userId: row.userId,
  scopes: row.scopes,
  generation: row.generation,
  createdAt: DateTime.fromDateUnsafe(row.createdAt),
  rotatedAt: DateTime.fromDateUnsafe(row.rotatedAt),
  expiresAt: DateTime.fromDateUnsafe(row.expiresAt),
  revokedAt: row.revokedAt && DateTime.fromDateUnsafe(row.revokedAt)
})

/** Whether the grant may still be used: not revoked, not expired, not idle for too long. */
export const lives = (grant: Grant, now: DateTime.Utc, idleLifetime: Duration.Duration): boolean =>
  grant.revokedAt === null && DateTime.isLessThan(now, endsAt(grant, idleLifetime))

/** When the grant ends if nobody uses it again. */
export const endsAt = ({ expiresAt, rotatedAt }: Grant, idleLifetime: Duration.Duration): DateTime.Utc =>
  DateTime.min(expiresAt, DateTime.addDuration(rotatedAt, idleLifetime))
