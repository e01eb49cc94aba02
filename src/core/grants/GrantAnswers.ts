import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId } from "../../domain/Ids.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import type { Grant } from "./Grant.ts"
import { mostGrants } from "./GrantCap.ts"
import * as LiveCondition from "./LiveCondition.ts"
import { mostCounted } from "./Usage.ts"

/** What a user answered at one consent. */
export type Answer = Pick<Grant, "scopes" | "declined">

/** Users of an app by what they answered at the consents for the API that count still. */
export interface GrantAnswers {
  /** Users who answered the same, and these answers, the newest first. */
  readonly groups: ReadonlyArray<{ readonly answers: ReadonlyArray<Answer>; readonly users: number }>
  /** True if the users of all live grants are in the groups, and not only those of the first `mostCounted`. */
  readonly isComplete: boolean
}

/**
 * Groups users of an app by their answers in one statement. Most users of an app have answered the same, so that a
 * hundred thousand grants are a handful of groups. Each user in them is there with all live grants, in whatever part of
 * the table they are: a number of users is never too large because a grant was not read.
 */
export const grantAnswers = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { grantIdleLifetime } = yield* AppConfig
  const live = LiveCondition.make(sql, grantIdleLifetime)

  return Effect.fn("GrantAnswers")(function*(clientId: ClientId) {
    const now = yield* DatabaseClock.statementNow
    const rows = yield* sql<{ answers: ReadonlyArray<Answer>; users: number; read: number }>`
      WITH sample AS MATERIALIZED (
        SELECT user_id FROM grants WHERE client_id = ${clientId} AND resource IS NULL AND ${live(now)}
          LIMIT ${mostCounted + 1}
      )
      SELECT answers, count(*)::int AS users, (SELECT count(*)::int FROM sample) AS read
      FROM (SELECT DISTINCT user_id FROM sample) u CROSS JOIN LATERAL (
        SELECT jsonb_agg(jsonb_build_object('scopes', scopes, 'declined', declined) ORDER BY created_at DESC, id DESC)
          AS answers
        FROM (SELECT id, created_at, scopes, declined FROM grants
          WHERE user_id = u.user_id AND client_id = ${clientId} AND resource IS NULL AND ${live(now)}
          ORDER BY created_at DESC, id DESC LIMIT ${mostGrants}) newest
      ) each
      WHERE answers IS NOT NULL
      GROUP BY answers`
    return {
      groups: rows.map(({ answers, users }) => ({ answers, users })),
      isComplete: rows.every(({ read }) => read <= mostCounted)
    } satisfies GrantAnswers
  }, Effect.orDie)
})
