import { Duration, Effect, Ref } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Sweep from "../../foundation/database/Sweep.ts"
import * as LiveCondition from "./LiveCondition.ts"

/**
 * Grants that were revoked, or not refreshed for `GRANT_IDLE_LIFETIME` (imported ones: for as long as their import
 * set). They are found along the primary key, because an index on `rotated_at` would have to be written with each
 * refresh. A run reads a part of the table, and the next goes on from there.
 */
const endedOrIdle: Sweep.Sweep = {
  table: "grants",
  retention: "grantIdleLifetime",
  rows:
    "grants that were revoked, or not refreshed for so long (imported ones: for as long as the import set, if it did)",
  prepare: Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const { grantIdleLifetime } = yield* AppConfig
    const isInUse = LiveCondition.inUse(sql, grantIdleLifetime)
    const cursor = yield* Ref.make(firstId)
    const pages = yield* Ref.make(0)
    const deleteBatch: Sweep.DeleteBatch = Effect.gen(function*() {
      const now = (yield* Sweep.ago(sql))(Duration.zero)
      const [page] = yield* sql<{ last: string | null; deleted: number }>`
        WITH page AS (
          SELECT id, revoked_at IS NOT NULL OR NOT ${isInUse(now)} AS dead
          FROM grants WHERE id > ${yield* Ref.get(cursor)}::uuid ORDER BY id LIMIT ${Sweep.batchSize}
        ), gone AS (
          DELETE FROM grants WHERE id = ANY(ARRAY(
            SELECT id FROM grants JOIN page USING (id) WHERE dead AND (revoked_at IS NOT NULL OR NOT ${isInUse(now)})
            FOR UPDATE OF grants SKIP LOCKED
          )) RETURNING 1
        )
        SELECT (SELECT max(id::text) FROM page) AS last, (SELECT count(*)::int FROM gone) AS deleted`
      const last = page?.last ?? null
      const read = yield* Ref.updateAndGet(pages, (n) => last === null ? 0 : (n + 1) % pagesPerRun)
      yield* Ref.set(cursor, last ?? firstId)
      return { deleted: page?.deleted ?? 0, more: last !== null && read > 0 }
    })
    return deleteBatch
  })
}

export const sweeps = [
  Sweep.expired({
    table: "grants",
    column: "expires_at",
    retention: "grantLifetime",
    rows: "grants past their lifetime"
  }),
  endedOrIdle
]

const pagesPerRun = 100
const firstId = "00000000-0000-0000-0000-000000000000"
