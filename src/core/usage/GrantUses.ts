import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import * as LiveCondition from "../grants/LiveCondition.ts"
import { mostCounted } from "../grants/Usage.ts"
import type { Need } from "./Need.ts"
import * as RightUses from "./RightUses.ts"
import { rightsIn, sliceOfGrant } from "./UsageBatch.ts"
import type { GrantUse, NeedUsers, UsedGrant } from "./Use.ts"

/** Makes what reads the use of grants: what was added up, and what waits for that. */
export const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const clock = yield* DatabaseClock
  const { grantIdleLifetime, usageLifetime } = yield* AppConfig
  const live = LiveCondition.make(sql, grantIdleLifetime)

  // In one statement, so that counts which are being added up are seen once.
  const ofGrants = Effect.fnUntraced(function*(ids: ReadonlyArray<GrantId>) {
    const slices = ids.map(sliceOfGrant)
    // Finding out which rows have a grant takes the database less than it takes to send and to read them all.
    const isAsked = ids.length > fewGrants
      ? sql`true`
      : sql`EXISTS (SELECT FROM unnest(${slices}::integer[], ${ids}::text[]) AS q (slice, id)
          WHERE q.slice = b.slice AND strpos(b.counts, q.id) > 0)`
    const rows = yield* sql<Row>`
      SELECT grant_id, rights::text AS counts FROM grant_uses WHERE grant_id = ANY(${ids}::uuid[])
      UNION ALL (SELECT NULL, counts FROM usage_batches b
        WHERE slice = ANY(${[...new Set(slices)]}::integer[]) AND ${isAsked} ORDER BY id LIMIT ${mostWaiting + 1})`
    const waiting = rows.flatMap(({ counts, grantId }) => grantId === null ? [counts] : [])
    const kept = new Map(
      rows.flatMap(({ counts, grantId }) => grantId === null ? [] : [[grantId, RightUses.decode(counts)] as const])
    )
    const added = rightsIn(waiting, new Set(ids))
    const oldest = RightUses.weekOf(
      DateTime.toEpochMillis(DateTime.subtractDuration(yield* clock.now, usageLifetime)) / 1000
    )
    const isCurrent = waiting.length <= mostWaiting
    return new Map(ids.map((id) => [
      id,
      useOf(RightUses.add(kept.get(id) ?? new Map(), added.get(id) ?? new Map()), oldest, isCurrent)
    ]))
  })

  const grantsOf = Effect.fnUntraced(function*(clientId: ClientId, after: GrantId | null, limit: number) {
    const now = yield* DatabaseClock.statementNow
    const grants = yield* sql<LiveGrant>`SELECT id, user_id FROM grants
      WHERE client_id = ${clientId} AND ${live(now)} AND (${after}::uuid IS NULL OR id > ${after}::uuid)
      ORDER BY id LIMIT ${limit}`
    const uses = yield* ofGrants(grants.map(({ id }) => id))
    return grants.flatMap(({ id, userId }): ReadonlyArray<UsedGrant> => {
      const use = uses.get(id)
      return use === undefined ? [] : [{ ...use, grantId: id, userId }]
    })
  })

  const users = Effect.fnUntraced(function*(clientId: ClientId) {
    const grants = yield* grantsOf(clientId, null, mostCounted + 1)
    const byNeed = new Map<Need, Set<UserId>>()
    for (const { userId, uses } of grants) {
      for (const { calls, need } of uses) {
        if (calls > 0) byNeed.set(need, (byNeed.get(need) ?? new Set()).add(userId))
      }
    }
    return {
      users: new Map([...byNeed].map(([need, ids]) => [need, ids.size])),
      isComplete: grants.length <= mostCounted && grants.every(({ isCurrent }) => isCurrent)
    } satisfies NeedUsers
  })

  return { ofGrants, grantsOf, users }
})

/** Batches that a page adds up by itself, some hundred kilobytes. */
export const mostWaiting = 2_000

/** Grants that a page shows. */
const fewGrants = 100

interface Row {
  /** `null` of a batch. */
  readonly grantId: GrantId | null
  readonly counts: string
}

interface LiveGrant {
  readonly id: GrantId
  readonly userId: UserId
}

const useOf = (rights: RightUses.Rights, oldest: number, isCurrent: boolean): GrantUse => {
  const uses = [...rights].map(([need, { first, last, weeks }]) => {
    const kept = [...weeks].filter(([week]) => week >= oldest).toSorted(([a], [b]) => a - b)
    return {
      need,
      calls: kept.reduce((sum, [, calls]) => sum + calls, 0),
      firstAt: DateTime.makeUnsafe(first * 1000),
      lastAt: DateTime.makeUnsafe(last * 1000),
      weeks: kept.map(([week, calls]) => ({ week: DateTime.makeUnsafe(RightUses.beginOf(week)), calls }))
    }
  }).toSorted((a, b) => b.lastAt.epochMilliseconds - a.lastAt.epochMilliseconds)
  return { uses, lastAt: uses[0]?.lastAt ?? null, isCurrent }
}
