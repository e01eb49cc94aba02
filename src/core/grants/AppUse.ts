import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { ClientId } from "../../domain/Ids.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import * as LiveCondition from "./LiveCondition.ts"
import { mostCounted, type Usage } from "./Usage.ts"

/** Use that is made of an app, for those who decide about it. Where not all was counted, the numbers are the least. */
export interface AppUse extends Usage {
  /** Number of live grants: a user may have several. */
  readonly grants: number
  /** When the app last got tokens here; `null` if it never has, and where not all was counted. */
  readonly lastTokensAt: DateTime.Utc | null
  /** Users of whom no live grant has all of the scopes in question, so that they have to consent again. */
  readonly asked: number
}

/** Sums the live grants of an app up in one statement, as far as `mostCounted`. */
export const appUse = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { wider } = yield* Catalogue
  const { grantIdleLifetime } = yield* AppConfig
  const live = LiveCondition.make(sql, grantIdleLifetime)

  /** `added` are the scopes that the app may ask for once a change of it holds. */
  return Effect.fn("AppUse.of")(function*(clientId: ClientId, added: ReadonlyArray<ScopeName>) {
    // A grant without scopes has them all (specification §5.6).
    const has = sql.and(added.map((scope) => sql`scopes && ${[scope, ...wider(scope)]}::text[]`))
    const [row] = yield* sql<Row>`
      SELECT count(DISTINCT user_id)::int AS users, count(*)::int AS grants, max(given_at) AS authorized_at,
        max(tokens_at) AS last_tokens_at, count(DISTINCT user_id) FILTER (WHERE has_all)::int AS with_all
      FROM (SELECT user_id, CASE WHEN imported_rotates IS NULL THEN created_at ELSE issued_at END AS given_at,
          CASE WHEN imported_rotates IS NULL OR generation > 0 THEN rotated_at END AS tokens_at,
          (scopes IS NULL OR ${added.length === 0 ? sql`true` : has}) AS has_all
        FROM grants WHERE client_id = ${clientId} AND ${live(yield* DatabaseClock.statementNow)}
        LIMIT ${mostCounted + 1}) counted`
    const { authorizedAt = null, grants = 0, lastTokensAt = null, users = 0, withAll = 0 } = row ?? {}
    const isComplete = grants <= mostCounted
    const instant = (date: Date | null) => isComplete && date !== null ? DateTime.fromDateUnsafe(date) : null
    return {
      users,
      grants,
      isComplete,
      asked: users - withAll,
      authorizedAt: instant(authorizedAt),
      lastTokensAt: instant(lastTokensAt)
    } satisfies AppUse
  }, Effect.orDie)
})

interface Row {
  readonly users: number
  readonly grants: number
  readonly withAll: number
  readonly authorizedAt: Date | null
  readonly lastTokensAt: Date | null
}
