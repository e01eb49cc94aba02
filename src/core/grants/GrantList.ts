import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { UserId } from "../../domain/Ids.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import { type Grant, type GrantRow, lastTokensAt } from "./Grant.ts"
import * as LiveCondition from "./LiveCondition.ts"

/** A live grant with as much as it takes to judge its use. */
export interface ListedGrant extends Pick<Grant, "clientId" | "createdAt" | "id" | "scopes"> {
  /** When its app last got tokens here; `null` for an imported grant whose token has not come yet. */
  readonly lastTokensAt: DateTime.Utc | null
  /** True of a grant that was taken over: nobody here saw its use before. */
  readonly isImported: boolean
}

/** Lists live grants of a user, the newest first, as far as `mostListed`. */
export const grantList = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { grantIdleLifetime } = yield* AppConfig
  const live = LiveCondition.make(sql, grantIdleLifetime)

  return Effect.fn("GrantList")(function*(userId: UserId) {
    const rows = yield* sql<Row>`
      SELECT id, client_id, scopes, created_at, rotated_at, generation, imported_rotates FROM grants
      WHERE user_id = ${userId} AND ${live(yield* DatabaseClock.statementNow)}
      ORDER BY created_at DESC, id DESC LIMIT ${mostListed}`
    return rows.map(({ clientId, createdAt, generation, id, importedRotates, rotatedAt, scopes }): ListedGrant => {
      const isImported = importedRotates !== null
      return {
        id,
        clientId,
        scopes,
        isImported,
        createdAt: DateTime.fromDateUnsafe(createdAt),
        lastTokensAt: isImported && generation === 0 ? null : DateTime.fromDateUnsafe(rotatedAt)
      }
    })
  }, Effect.orDie)
})

/** Same of a grant that was read as a whole. */
export const listed = (grant: Grant): ListedGrant => ({
  id: grant.id,
  clientId: grant.clientId,
  scopes: grant.scopes,
  createdAt: grant.createdAt,
  lastTokensAt: lastTokensAt(grant),
  isImported: grant.imported !== null
})

/** More than people have; a user may have thousands of apps, and a hundred grants of each. */
export const mostListed = 2_000

type Row = Pick<
  GrantRow,
  "clientId" | "createdAt" | "generation" | "id" | "importedRotates" | "rotatedAt" | "scopes"
>
