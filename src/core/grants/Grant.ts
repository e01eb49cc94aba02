import { DateTime, Duration } from "effect"
import type { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import type { GrantedScopes, ScopeName } from "../../domain/scopes/Scope.ts"

/** What a grant knows of the consent on which it rests; `null` for what nobody knows. */
export interface ConsentTerms {
  /** Scopes that were asked for and that the user declined; `null` for none. */
  readonly declined: ReadonlyArray<ScopeName> | null
  /** `User-Agent` header of the browser in which the user consented. */
  readonly browser: string | null
  /** Network address of that browser. */
  readonly place: string | null
}

/** One consent, exchanged once. All its tokens share its scopes and end with it. */
export interface Grant extends ConsentTerms {
  readonly id: GrantId
  /** Digest of the private handle that its refresh tokens carry. */
  readonly handleDigest: Uint8Array
  readonly clientId: ClientId
  readonly userId: UserId
  readonly scopes: GrantedScopes
  /** Identifier of the resource for which it is; `null` for the API. */
  readonly resource: string | null
  /** Number of its refreshes so far, which is the generation of its current refresh token. */
  readonly generation: number
  readonly createdAt: DateTime.Utc
  /** Time of the last refresh; before the first one, the time of creation. */
  readonly rotatedAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
  readonly revokedAt: DateTime.Utc | null
  /** Present in a grant that was taken over from another server. */
  readonly imported: {
    /** Days of idleness after which it ends, if the import set any. */
    readonly idleDays: number | null
    /** When the other server issued its token, if the import said so. */
    readonly issuedAt: DateTime.Utc | null
  } | null
}

/** A row of `grants` as the driver reads it; our own table needs no schema on the hot path. */
export interface GrantRow
  extends
    ConsentTerms,
    Pick<Grant, "id" | "handleDigest" | "clientId" | "userId" | "scopes" | "resource" | "generation">
{
  readonly createdAt: Date
  readonly rotatedAt: Date
  readonly expiresAt: Date
  readonly revokedAt: Date | null
  readonly importedRotates: boolean | null
  readonly idleDays: number | null
  readonly issuedAt: Date | null
}

export const fromRow = (row: GrantRow): Grant => ({
  id: row.id,
  handleDigest: row.handleDigest,
  clientId: row.clientId,
  userId: row.userId,
  scopes: row.scopes,
  resource: row.resource,
  declined: row.declined,
  browser: row.browser,
  place: row.place,
  generation: row.generation,
  createdAt: DateTime.fromDateUnsafe(row.createdAt),
  rotatedAt: DateTime.fromDateUnsafe(row.rotatedAt),
  expiresAt: DateTime.fromDateUnsafe(row.expiresAt),
  revokedAt: row.revokedAt && DateTime.fromDateUnsafe(row.revokedAt),
  imported: row.importedRotates === null
    ? null
    : { idleDays: row.idleDays, issuedAt: row.issuedAt && DateTime.fromDateUnsafe(row.issuedAt) }
})

/** When the user gave the grant; `null` for an imported one of which nobody knows. */
export const givenAt = ({ createdAt, imported }: Grant): DateTime.Utc | null =>
  imported === null ? createdAt : imported.issuedAt

/** When its app last got tokens here; `null` for an imported grant whose token has not come yet. */
export const lastTokensAt = ({ generation, imported, rotatedAt }: Grant): DateTime.Utc | null =>
  imported !== null && generation === 0 ? null : rotatedAt

/** Reason in the row of a legacy grant that ended because its user authorized the app again (specification §5.6). */
export const superseded = "superseded"

/** Tells whether the grant can be used: it is not revoked, not expired and not idle for too long. */
export const isLive = (grant: Grant, now: DateTime.Utc, idleLifetime: Duration.Duration): boolean =>
  grant.revokedAt === null && DateTime.isLessThan(now, endsAt(grant, idleLifetime))

/** When the grant ends unless it is refreshed again. */
export const endsAt = ({ expiresAt, imported, rotatedAt }: Grant, idleLifetime: Duration.Duration): DateTime.Utc => {
  if (imported === null) return DateTime.min(expiresAt, DateTime.addDuration(rotatedAt, idleLifetime))
  if (imported.idleDays === null) return expiresAt
  return DateTime.min(expiresAt, DateTime.addDuration(rotatedAt, Duration.days(imported.idleDays)))
}
