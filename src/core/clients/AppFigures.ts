import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId } from "../../domain/Ids.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import * as LiveCondition from "../grants/LiveCondition.ts"
import { mostCounted, type Usage } from "../grants/Usage.ts"
import type { Standing } from "./life/NextStep.ts"

/** Use that is made of an app, and what went wrong with it lately, for its owner. */
export interface AppFigures extends Pick<Usage, "users" | "isComplete">, Standing {
  /** When it last got tokens as far as was counted, or a secret of it was used, whichever is later. */
  readonly lastUsedAt: DateTime.Utc | null
  /** When one of its secrets was last used, to within a minute. */
  readonly secretUsedAt: DateTime.Utc | null
  /** Number of its requests that were refused within the last seven days, of those that are kept. */
  readonly refused: number
}

/**
 * Makes what reads the figures of a page of apps in one statement. It reads at most `mostCounted` grants of each app,
 * whether they are live or not, and of refused requests as many as are kept (`RefusedRequests`): an app of a million
 * users costs no more than one of ten thousand.
 */
export const appFigures = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { grantIdleLifetime } = yield* AppConfig
  const live = LiveCondition.make(sql, grantIdleLifetime)

  return Effect.fn("AppFigures.of")(function*(ids: ReadonlyArray<ClientId>) {
    const now = yield* DatabaseClock.statementNow
    const rows = yield* sql<Row>`
      SELECT c.id, g.users, g.read, g.tokens_at, s.secret_used_at, r.refused,
        EXISTS (SELECT FROM review_questions q WHERE q.client_id = c.id AND q.answered_at IS NULL) AS is_asked
      FROM unnest(${ids}::text[]) AS c (id)
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS read, count(DISTINCT user_id) FILTER (WHERE is_live)::int AS users,
          max(tokens_at) FILTER (WHERE is_live) AS tokens_at
        FROM (SELECT user_id, ${live(now)} AS is_live,
            CASE WHEN imported_rotates IS NULL OR generation > 0 THEN rotated_at END AS tokens_at
          FROM grants WHERE client_id = c.id LIMIT ${mostCounted + 1}) counted
      ) g
      CROSS JOIN LATERAL (SELECT max(last_used_at) AS secret_used_at FROM client_secrets WHERE client_id = c.id) s
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(times), 0)::float8 AS refused FROM refused_requests
        WHERE client_id = c.id AND at > ${now} - interval '7 days'
      ) r`
    const found = new Map(rows.map((row) => [row.id, figuresOf(row)]))
    return (id: ClientId): AppFigures => found.get(id) ?? unused
  }, Effect.orDie)
})

interface Row {
  readonly id: ClientId
  /** Number of grants that were read. */
  readonly read: number
  readonly users: number
  readonly tokensAt: Date | null
  readonly secretUsedAt: Date | null
  readonly refused: number
  readonly isAsked: boolean
}

const figuresOf = ({ isAsked, read, refused, secretUsedAt, tokensAt, users }: Row) => {
  const isComplete = read <= mostCounted
  const lastUsedAt = tokensAt === null || (secretUsedAt !== null && secretUsedAt > tokensAt) ? secretUsedAt : tokensAt
  return {
    users,
    isComplete,
    lastUsedAt: instant(lastUsedAt),
    secretUsedAt: instant(secretUsedAt),
    hasTokens: tokensAt !== null || !isComplete,
    refused,
    isAsked
  } satisfies AppFigures
}

const unused: AppFigures = {
  users: 0,
  isComplete: true,
  lastUsedAt: null,
  secretUsedAt: null,
  hasTokens: false,
  refused: 0,
  isAsked: false
}

const instant = (date: Date | null) => date === null ? null : DateTime.fromDateUnsafe(date)
