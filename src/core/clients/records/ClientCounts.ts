import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { ClientStatus } from "./Client.ts"
import { countOwnerless } from "./OwnerlessApps.ts"
import { isUnasked } from "./Unasked.ts"

interface ClientCounts {
  readonly byStatus: ReadonlyArray<readonly [ClientStatus, number]>
  /** Apps that nobody can look after. */
  readonly ownerless: number
  /** Seconds for which the app has waited that a reviewer should look at first; 0 while none waits. */
  readonly oldestReview: number
}

/**
 * Counts apps without their test apps, and says how long the oldest review has been waited for: of a new app, or of a
 * change to an approved one.
 */
export const count: Effect.Effect<ClientCounts, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ status: string; clients: number }>`
    SELECT status, count(*)::int AS clients FROM clients WHERE test_of IS NULL GROUP BY status`
  const [waiting] = yield* sql<{ age: number }>`
    SELECT COALESCE(EXTRACT(epoch FROM ${yield* DatabaseClock.statementNow} - LEAST(
      (SELECT min(submitted_at) FROM clients WHERE status = 'pending' AND NOT ${isUnasked(sql)}),
      (SELECT min(submitted_at) FROM client_changes WHERE rejection_reason IS NULL)
    )), 0)::float8 AS age`
  return {
    byStatus: ClientStatus.literals.map((status) =>
      [status, rows.find((row) => row.status === status)?.clients ?? 0] as const
    ),
    ownerless: yield* countOwnerless,
    oldestReview: Math.max(0, waiting?.age ?? 0)
  }
})
