import { Array, DateTime, Duration, Effect, Order } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId } from "../../../domain/Ids.ts"
import type { MigrationAudit } from "./MigrationAudit.ts"

// Standing of each legacy client: the part of its last audit by which the board filters and sorts all of them. It is
// always a copy of what `MigrationAudits` found, so there is one definition of the verdict. Counted requests only note
// that the standing is old (`LegacyTraffic`); it is renewed each night, and when somebody looks at the board.

/** Keeps these findings as the standings of their clients, unless there are later ones. */
export const keepStandings = Effect.fnUntraced(function*(audits: ReadonlyArray<MigrationAudit>) {
  const sql = yield* SqlClient.SqlClient
  if (!Array.isReadonlyArrayNonEmpty(audits)) return
  // In the order of their ids, so that two writers cannot deadlock.
  const sorted = Array.sort(audits, Order.mapInput(Order.String, ({ clientId }: MigrationAudit) => clientId))
  const rows = Array.map(sorted, (audit) => ({
    clientId: audit.clientId,
    verdict: audit.verdict,
    unscopedRequests: audit.unscopedRequests,
    unscopedGrants: audit.unscopedGrants,
    at: DateTime.toDateUtc(audit.at)
  }))
  yield* sql`INSERT INTO migration_standings AS s ${sql.insert(rows)}
    ON CONFLICT (client_id) DO UPDATE SET verdict = excluded.verdict, at = excluded.at,
      unscoped_requests = excluded.unscoped_requests, unscoped_grants = excluded.unscoped_grants
    WHERE s.at <= excluded.at`
})

/** Clients without a standing, and those that have been used or changed since, or were not looked at for a day. */
export const oldStandings = Effect.fnUntraced(function*(limit: number) {
  const sql = yield* SqlClient.SqlClient
  const dayAgo = DateTime.toDateUtc(DateTime.subtractDuration(yield* DateTime.now, Duration.days(1)))
  const rows = yield* sql<{ id: ClientId }>`
    SELECT c.id FROM clients c LEFT JOIN migration_standings s ON s.client_id = c.id
    WHERE (c.legacy OR c.migrated_at IS NOT NULL)
      AND (s.at IS NULL OR s.used_at >= s.at OR c.updated_at >= s.at OR s.at < ${dayAgo})
    ORDER BY s.at NULLS FIRST, c.id LIMIT ${limit}`
  return rows.map(({ id }) => id)
})
