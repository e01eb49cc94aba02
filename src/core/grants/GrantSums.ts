import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId, UserId } from "../../domain/Ids.ts"
import type { GrantedScopes, ScopeName } from "../../domain/scopes/Scope.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import * as LiveCondition from "./LiveCondition.ts"

/** Live grants of one user and client, taken together. */
export interface GrantSum {
  readonly clientId: ClientId
  /** Union of their scopes. */
  readonly scopes: GrantedScopes
  readonly grants: number
  /** Identifiers of the resources beside the API that they are for. */
  readonly resources: ReadonlyArray<string>
  /** When the user gave the first one; `null` if one was imported and nobody knows when it was given. */
  readonly since: DateTime.Utc | null
  /** When the client last got tokens here; `null` if it has got none yet. */
  readonly lastTokensAt: DateTime.Utc | null
  /** Since when it has got no tokens here: the time of the import, if it has got none yet. */
  readonly quietSince: DateTime.Utc
  /** When the last of them ends, however it is used. */
  readonly endsAt: DateTime.Utc
  /** True if one of them was taken over from another server. */
  readonly isImported: boolean
}

/**
 * Sums up live grants of a user in one statement, one row for each client: a user may have thousands of clients, and a
 * hundred grants of each.
 */
export const grantSums = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { grantIdleLifetime } = yield* AppConfig
  const live = LiveCondition.make(sql, grantIdleLifetime)

  /** Those of all clients, or of these. */
  return Effect.fn("GrantSums")(function*(userId: UserId, clientIds?: ReadonlyArray<string>) {
    const ofClients = clientIds === undefined ? sql`true` : sql`client_id = ANY(${clientIds}::text[])`
    const rows = yield* sql<SumRow>`
      SELECT client_id, count(*)::int AS grants, bool_or(scopes IS NULL) AS is_unrestricted,
        string_agg(DISTINCT array_to_string(scopes, ' '), ' ') AS scopes,
        coalesce(array_agg(DISTINCT resource ORDER BY resource) FILTER (WHERE resource IS NOT NULL), '{}') AS resources, bool_or(is_imported) AS is_imported,
        CASE WHEN count(given_at) = count(*) THEN min(given_at) END AS since,
        max(rotated_at) FILTER (WHERE NOT is_imported OR generation > 0) AS last_tokens_at,
        max(rotated_at) AS quiet_since, max(expires_at) AS ends_at
      FROM (SELECT client_id, scopes, resource, generation, rotated_at, expires_at, imported_rotates IS NOT NULL AS is_imported,
          CASE WHEN imported_rotates IS NULL THEN created_at ELSE issued_at END AS given_at
        FROM grants WHERE user_id = ${userId} AND ${ofClients} AND ${live(yield* DatabaseClock.statementNow)}) g
      GROUP BY client_id`
    return rows.map(sumOf)
  }, Effect.orDie)
})

interface SumRow {
  readonly clientId: ClientId
  readonly grants: number
  readonly isUnrestricted: boolean
  /** Separated by spaces; those of several grants may be there several times. */
  readonly scopes: string | null
  readonly resources: ReadonlyArray<string>
  readonly isImported: boolean
  readonly since: Date | null
  readonly lastTokensAt: Date | null
  readonly quietSince: Date
  readonly endsAt: Date
}

const sumOf = ({ isUnrestricted, scopes, ...sum }: SumRow): GrantSum => ({
  ...sum,
  scopes: isUnrestricted ? null : namesIn(scopes ?? ""),
  since: sum.since && DateTime.fromDateUnsafe(sum.since),
  lastTokensAt: sum.lastTokensAt && DateTime.fromDateUnsafe(sum.lastTokensAt),
  quietSince: DateTime.fromDateUnsafe(sum.quietSince),
  endsAt: DateTime.fromDateUnsafe(sum.endsAt)
})

const namesIn = (text: string): ReadonlyArray<ScopeName> => [...new Set(text.split(" ").filter((name) => name !== ""))]
