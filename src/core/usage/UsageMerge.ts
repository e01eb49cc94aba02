import { Array, Duration, Effect, Ref } from "effect"
import { SqlClient } from "effect/sql"
import type { GrantId } from "../../domain/Ids.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import * as Sweep from "../../foundation/database/Sweep.ts"
import * as TransactionLock from "../../foundation/database/TransactionLock.ts"
import { mostNeeds, unknownNeed } from "./Need.ts"
import * as RightUses from "./RightUses.ts"
import { addedByClient, type ClientSum, rightsIn } from "./UsageBatch.ts"

/**
 * Adds up the counts that servers handed over, and deletes them: slice by slice, the one whose counts have waited
 * longest first, so that rows which lie together are written together, and each once for all that waited. A run ends
 * when it has written so many rows: on a large server counts wait for hours, and pages read them with the others.
 *
 * Counts of grants that are gone or have ended are dropped, and of clients that are gone.
 */
export const waiting: Sweep.Sweep = {
  table: "usage_batches",
  retention: "usageInterval",
  rows: "counts of calls, once they are added up by grant and by app",
  prepare: Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const { usageLifetime } = yield* AppConfig
    const written = yield* Ref.make(0)

    const mergeOldest = Effect.gen(function*() {
      yield* TransactionLock.take(sql, "usage")
      const rows = yield* sql<Waiting>`DELETE FROM usage_batches WHERE id = ANY(ARRAY(
          SELECT id FROM usage_batches
          WHERE slice = (SELECT slice FROM usage_batches ORDER BY id LIMIT 1) ORDER BY id LIMIT ${rowsAtOnce}
        )) RETURNING slice, counts, extract(epoch FROM ${yield* DatabaseClock.statementNow})::float8 AS now`
      const [first] = rows
      if (first === undefined) return { deleted: 0, written: 0 }
      const counts = rows.map((row) => row.counts)
      const oldest = RightUses.weekOf(first.now - Duration.toSeconds(usageLifetime))
      const sums = first.slice < 0 ? yield* addToClients(counts) : yield* addToGrants(rightsIn(counts), oldest)
      return { deleted: rows.length, written: sums }
    })

    return sql.withTransaction(mergeOldest).pipe(
      Effect.flatMap(({ deleted, written: added }) =>
        Effect.map(
          Ref.modify(written, (before) => {
            const isLast = deleted === 0 || before + added >= rowsPerRun
            return [!isLast, isLast ? 0 : before + added]
          }),
          (more) => ({ deleted, more })
        )
      ),
      Effect.provideService(SqlClient.SqlClient, sql)
    )
  })
}

const ofDay = (table: string, rows: string) =>
  Sweep.where(
    { table, rows, retention: "usageLifetime" },
    (sql, ago, { usageLifetime }) => sql`day < ${ago(usageLifetime)}`
  )

export const sweeps = [
  waiting,
  ofDay("client_needs", "calls of apps, counted by day and by what they needed"),
  ofDay("client_operations", "calls of apps, counted by day and operation")
]

/** Answers the number of rows that it wrote. */
const addToGrants = Effect.fnUntraced(function*(sums: ReadonlyMap<GrantId, RightUses.Rights>, oldest: number) {
  const sql = yield* SqlClient.SqlClient
  let written = 0
  for (const ids of Array.chunksOf([...sums.keys()].toSorted(), grantsAtOnce)) {
    const known = yield* sql<{ readonly id: GrantId; readonly rights: string | null }>`
      SELECT g.id, u.rights::text FROM grants g LEFT JOIN grant_uses u ON u.grant_id = g.id
      WHERE g.id = ANY(${ids}::uuid[]) AND g.revoked_at IS NULL ORDER BY g.id`
    const rows = known.map(({ id, rights }) => ({
      id,
      isNew: rights === null,
      rights: RightUses.encode(
        RightUses.add(rights === null ? new Map() : RightUses.decode(rights), sums.get(id) ?? new Map()),
        oldest
      )
    }))
    const added = rows.filter(({ isNew }) => isNew)
    const changed = rows.filter(({ isNew }) => !isNew)
    if (added.length > 0) {
      yield* sql`INSERT INTO grant_uses (grant_id, rights)
        SELECT * FROM unnest(${added.map(({ id }) => id)}::uuid[], ${added.map(({ rights }) => rights)}::json[])
        ON CONFLICT DO NOTHING`
    }
    // A row that is locked is being deleted with its grant.
    if (changed.length > 0) {
      yield* sql`UPDATE grant_uses u SET rights = n.rights
        FROM unnest(${changed.map(({ id }) => id)}::uuid[], ${changed.map(({ rights }) => rights)}::json[])
            AS n (id, rights)
          JOIN (SELECT grant_id FROM grant_uses WHERE grant_id = ANY(${changed.map(({ id }) => id)}::uuid[])
            ORDER BY grant_id FOR UPDATE SKIP LOCKED) AS free ON free.grant_id = n.id
        WHERE u.grant_id = n.id`
    }
    written += rows.length
  }
  return written
})

const addToClients = Effect.fnUntraced(function*(counts: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const { needs, operations } = addedByClient(counts)
  const add = (table: string, of: string, sums: ReadonlyArray<ClientSum>) =>
    sql`INSERT INTO ${sql(table)} AS t (client_id, day, ${sql(of)}, outcome, calls)
      SELECT c.id, n.day::date, n.of, n.outcome, n.calls
      FROM unnest(${sums.map(({ clientId }) => clientId)}::text[], ${sums.map(({ day }) => day)}::text[],
          ${sums.map((sum) => sum.of)}::text[], ${sums.map(({ outcome }) => outcome)}::text[],
          ${sums.map(({ calls }) => calls)}::bigint[]) AS n (id, day, of, outcome, calls)
        JOIN clients c ON c.id = n.id
      ORDER BY 1, 2, 3, 4
      ON CONFLICT (client_id, day, ${sql(of)}, outcome)
        DO UPDATE SET calls = LEAST(t.calls + excluded.calls, ${Number.MAX_SAFE_INTEGER})`
  if (needs.length > 0) yield* add("client_needs", "need", yield* toldApart(needs))
  if (operations.length > 0) yield* add("client_operations", "operation", operations)
  return needs.length + operations.length
})

/** Sums in which no app has more needs on a day than are told apart, those among them that were added before. */
const toldApart = Effect.fnUntraced(function*(sums: ReadonlyArray<ClientSum>) {
  const sql = yield* SqlClient.SqlClient
  const dayOf = ({ clientId, day }: Pick<ClientSum, "clientId" | "day">) => `${day} ${clientId}`
  const days = [...new Map(sums.map((sum) => [dayOf(sum), sum])).values()]
  const rows = yield* sql<Pick<ClientSum, "clientId" | "day" | "of">>`
    SELECT DISTINCT t.client_id, n.day, t.need AS of
    FROM unnest(${days.map(({ clientId }) => clientId)}::text[], ${days.map(({ day }) => day)}::text[]) AS n (id, day)
      JOIN client_needs t ON t.client_id = n.id AND t.day = n.day::date`
  const known = new Map(days.map((sum) => [dayOf(sum), new Set<string>()]))
  for (const row of rows) known.get(dayOf(row))?.add(row.of)
  const together = new Map<string, ClientSum>()
  for (const sum of sums) {
    const needs = known.get(dayOf(sum))
    const of = needs === undefined || needs.has(sum.of) || needs.size < mostNeeds ? sum.of : unknownNeed
    needs?.add(of)
    const key = JSON.stringify([sum.clientId, sum.day, of, sum.outcome])
    const calls = Math.min((together.get(key)?.calls ?? 0) + sum.calls, Number.MAX_SAFE_INTEGER)
    together.set(key, { ...sum, of, calls })
  }
  return [...together.values()]
})

interface Waiting {
  readonly slice: number
  readonly counts: string
  /** In seconds since 1970. */
  readonly now: number
}

/** Rows of one slice that are added up in one transaction, and grants in one statement. */
const rowsAtOnce = 40_000
const grantsAtOnce = 2_000

/** Rows that a run of five minutes writes: 3,300 a second at most (docs/operations/capacity.md). */
const rowsPerRun = 1_000_000
