import { Duration, Effect, Ref } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { inTransaction } from "../../foundation/database/InTransaction.ts"
import * as Sweep from "../../foundation/database/Sweep.ts"
import type { KnownGrant } from "../clients/events/AppEvent.ts"
import { AppEvents } from "../clients/events/AppEvents.ts"
import * as LiveCondition from "./LiveCondition.ts"

/** Grants past their lifetime. Apps hear that those ended which had not before. */
const expired: Sweep.Sweep<AppEvents> = {
  table: "grants",
  retention: "grantLifetime",
  rows: "grants past their lifetime",
  prepare: Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const events = yield* AppEvents
    const deleteBatch: Sweep.DeleteBatch = Effect.gen(function*() {
      const now = (yield* Sweep.ago(sql))(Duration.zero)
      const rows = yield* sql<GoneRow>`DELETE FROM grants WHERE ctid = ANY(ARRAY(
          SELECT ctid FROM grants WHERE expires_at <= ${now} LIMIT ${Sweep.batchSize} FOR UPDATE SKIP LOCKED
        )) RETURNING id, client_id, user_id, scopes, revoked_at IS NULL AS is_news`
      yield* events.grantsEnded(rows.filter(({ isNews }) => isNews), "expired")
      return { deleted: rows.length, more: rows.length === Sweep.batchSize }
    }).pipe(inTransaction(sql))
    return deleteBatch
  })
}

/**
 * Grants that were revoked, or not refreshed for `GRANT_IDLE_LIFETIME` (imported ones: for as long as their import
 * set). They are found along the primary key, because an index on `rotated_at` would have to be written with each
 * refresh. A run reads a part of the table, and the next goes on from there.
 */
const endedOrIdle: Sweep.Sweep<AppEvents> = {
  table: "grants",
  retention: "grantIdleLifetime",
  rows:
    "grants that were revoked, or not refreshed for so long (imported ones: for as long as the import set, if it did)",
  prepare: Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const events = yield* AppEvents
    const { grantIdleLifetime } = yield* AppConfig
    const isInUse = LiveCondition.inUse(sql, grantIdleLifetime)
    const cursor = yield* Ref.make(firstId)
    const pages = yield* Ref.make(0)
    const deleteBatch: Sweep.DeleteBatch = Effect.gen(function*() {
      const now = (yield* Sweep.ago(sql))(Duration.zero)
      const rows = yield* sql<{ last: string | null } & (GoneRow | { id: null })>`
        WITH page AS (
          SELECT id, revoked_at IS NOT NULL OR NOT ${isInUse(now)} AS dead
          FROM grants WHERE id > ${yield* Ref.get(cursor)}::uuid ORDER BY id LIMIT ${Sweep.batchSize}
        ), gone AS (
          DELETE FROM grants WHERE id = ANY(ARRAY(
            SELECT id FROM grants JOIN page USING (id) WHERE dead AND (revoked_at IS NOT NULL OR NOT ${isInUse(now)})
            FOR UPDATE OF grants SKIP LOCKED
          )) RETURNING id, client_id, user_id, scopes, revoked_at IS NULL AS is_news
        )
        SELECT last, id, client_id, user_id, scopes, is_news FROM (SELECT max(id::text) AS last FROM page) pages LEFT JOIN gone ON true`
      const last = rows[0]?.last ?? null
      const gone = rows.filter((row) => row.id !== null)
      yield* events.grantsEnded(gone.filter(({ isNews }) => isNews), "idle")
      const read = yield* Ref.updateAndGet(pages, (n) => last === null ? 0 : (n + 1) % pagesPerRun)
      yield* Ref.set(cursor, last ?? firstId)
      return { deleted: gone.length, more: last !== null && read > 0 }
    }).pipe(inTransaction(sql))
    return deleteBatch
  })
}

export const sweeps = [expired, endedOrIdle]

/** A grant that was deleted; `isNews` if it had not ended before. */
interface GoneRow extends KnownGrant {
  readonly isNews: boolean
}

const pagesPerRun = 100
const firstId = "00000000-0000-0000-0000-000000000000"
