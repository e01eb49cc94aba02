import { DateTime, Duration, Effect, Ref } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"

/** How rows of one table are found that nobody needs any more, and deleted a few at a time. */
export interface Sweep {
  readonly table: string
  /** Deletes some rows; `more` while there may be others. */
  readonly batch: Effect.Effect<{ readonly deleted: number; readonly more: boolean }, SqlError.SqlError>
}

/** One sweep for each table that grows with use. */
export const make: Effect.Effect<ReadonlyArray<Sweep>, never, AppConfig | SqlClient.SqlClient> = Effect.gen(
  function*() {
    const sql = yield* SqlClient.SqlClient
    const { grantIdleLifetime } = yield* AppConfig

    /** Rows that an index finds; those that somebody else holds are left for the next time. */
    const indexed = (table: string, dead: (before: (age: Duration.Duration) => Date) => Statement.Fragment): Sweep => ({
      table,
      batch: Effect.gen(function*() {
        const rows = yield* sql`DELETE FROM ${sql(table)} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${sql(table)} WHERE ${dead(yield* ago)} LIMIT ${size} FOR UPDATE SKIP LOCKED
      )) RETURNING 1`
        return { deleted: rows.length, more: rows.length === size }
      })
    })

    // Idle grants are found along the primary key: an index on the rotation would move with each refresh. A run reads a
    // part of the table and the next goes on from there.
    const cursor = yield* Ref.make(firstId)
    const pages = yield* Ref.make(0)
    const idleGrants: Sweep = {
      table: "grants",
      batch: Effect.gen(function*() {
        const before = yield* ago
        const [page] = yield* sql<{ last: string | null; deleted: number }>`
        WITH page AS (
          SELECT id, revoked_at IS NOT NULL OR rotated_at <= ${before(grantIdleLifetime)} AS dead
          FROM grants WHERE id > ${yield* Ref.get(cursor)}::uuid ORDER BY id LIMIT ${size}
        ), gone AS (
          DELETE FROM grants g USING page p WHERE g.id = p.id AND p.dead
            AND (g.revoked_at IS NOT NULL OR g.rotated_at <= ${before(grantIdleLifetime)}) RETURNING 1
        )
        SELECT (SELECT max(id::text) FROM page) AS last, (SELECT count(*)::int FROM gone) AS deleted`
        const last = page?.last ?? null
        const read = yield* Ref.updateAndGet(pages, (n) => last === null ? 0 : (n + 1) % pagesPerRun)
        yield* Ref.set(cursor, last ?? firstId)
        return { deleted: page?.deleted ?? 0, more: last !== null && read > 0 }
      })
    }

    return [
      indexed("codes", (before) => sql`expires_at <= ${before(Duration.zero)}`),
      indexed("authorization_requests", (before) => sql`expires_at <= ${before(Duration.zero)}`),
      indexed("grants", (before) => sql`expires_at <= ${before(Duration.zero)}`),
      idleGrants,
      indexed("sessions", (before) => sql`expires_at <= ${before(Duration.zero)}`),
      indexed("api_keys", (before) => sql`revoked_at <= ${before(Duration.days(30))}`),
      indexed("setup_links", (before) => sql`expires_at <= ${before(Duration.zero)}`),
      indexed("sign_in_failures", (before) => sql`window_ends_at <= ${before(Duration.zero)}`),
      indexed("rejections", (before) => sql`at <= ${before(Duration.days(30))}`),
      indexed("outbox", (before) => sql`done_at <= ${before(Duration.days(7))}`),
      indexed("outbox", (before) => sql`dead_at <= ${before(Duration.days(90))}`),
      indexed("legacy_authorizations", (before) => sql`day < ${before(Duration.days(400))}`),
      indexed("migration_audits", (before) => sql`at <= ${before(Duration.days(400))}`)
    ]
  }
)

const size = 1_000
const pagesPerRun = 100
const firstId = "00000000-0000-0000-0000-000000000000"

const ago = Effect.map(
  DateTime.now,
  (now) => (age: Duration.Duration) => DateTime.toDateUtc(DateTime.subtractDuration(now, age))
)
