import { Array, DateTime, Effect, Order } from "effect"
import { SqlClient } from "effect/sql"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { ClientId } from "../../domain/Ids.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import { heldSince } from "../clients/records/HeldSince.ts"
import { mostWaiting } from "./GrantUses.ts"
import { mayHaveUsed, type Need, unknownNeed } from "./Need.ts"
import { addedByClient, sliceOfClient } from "./UsageBatch.ts"
import {
  type AppWithUnused,
  type Coverage,
  type HeldScopes,
  isRefusal,
  leastWeeks,
  Outcome,
  type UnusedPage,
  type UnusedScopes
} from "./Use.ts"

/** Makes what finds scopes that apps hold and nobody used. */
export const make = Effect.fnUntraced(function*(coverage: Effect.Effect<Coverage>) {
  const sql = yield* SqlClient.SqlClient
  const clock = yield* DatabaseClock
  const catalogue = yield* Catalogue
  const everyone = new Set(catalogue.file.levels.flatMap(({ everyone, id }) => everyone === true ? [id] : []))
  const reaching = Array.sort(
    catalogue.names.filter((name) => everyone.has(catalogue.entry(name)?.level ?? "")),
    Order.flip(catalogue.byRisk)
  )

  /** From when on nothing was missed and all that came is kept; `null` where that is not long enough ago. */
  const seenSince = Effect.gen(function*() {
    const { completeSince, keptSince } = yield* coverage
    if (completeSince === null) return null
    const since = DateTime.max(completeSince, keptSince)
    return isLongAgo(since, yield* clock.now) ? since : null
  })

  /** Needs of calls since the day of each, in one statement, so that counts which are being added up are seen once. */
  const needsOf = Effect.fnUntraced(function*(apps: ReadonlyArray<HeldScopes>) {
    const rows = yield* sql<Row>`
      WITH asked AS (
        SELECT a.id, a.day::date AS day, a.slice FROM unnest(${apps.map(({ clientId }) => clientId)}::text[],
          ${apps.map(({ since }) => DateTime.formatIsoDateUtc(since))}::text[],
          ${apps.map(({ clientId }) => sliceOfClient(clientId))}::integer[]) AS a (id, day, slice)
      ), waiting AS (
        SELECT slices.slice, first.counts, count(*) OVER (PARTITION BY slices.slice) AS n
        FROM (SELECT DISTINCT slice FROM asked) AS slices,
          LATERAL (SELECT counts FROM usage_batches b WHERE b.slice = slices.slice ORDER BY id LIMIT ${mostWaiting + 1})
            AS first
      )
      SELECT asked.id, n.need, NULL::integer AS slice, NULL::text AS counts
      FROM asked JOIN client_needs n ON n.client_id = asked.id AND n.day >= asked.day
      WHERE n.outcome = ANY(${uses}::text[]) GROUP BY asked.id, n.need
      UNION ALL SELECT NULL, '', slice, NULL FROM waiting WHERE n > ${mostWaiting} GROUP BY slice
      UNION ALL SELECT NULL, '', slice, counts FROM waiting
        WHERE n <= ${mostWaiting} AND EXISTS (SELECT FROM asked
          WHERE asked.slice = waiting.slice AND strpos(waiting.counts, asked.id) > 0)`
    const behind = new Set(rows.flatMap(({ counts, slice }) => slice !== null && counts === null ? [slice] : []))
    const waiting = addedByClient(rows.flatMap(({ counts }) => counts === null ? [] : [counts])).needs
    const of = ({ clientId, since }: HeldScopes): ReadonlyArray<Need> => [
      ...rows.flatMap(({ id, need }) => id === clientId ? [need] : []),
      ...waiting.filter((sum) =>
        sum.clientId === clientId && sum.day >= DateTime.formatIsoDateUtc(since) && !isRefusal[sum.outcome]
      ).map((sum) => sum.of)
    ]
    return new Map(apps.map((one) => [one.clientId, behind.has(sliceOfClient(one.clientId)) ? null : of(one)]))
  })

  const unusedAmong = (held: ReadonlyArray<ScopeName>, needs: ReadonlyArray<Need>): ReadonlyArray<ScopeName> | null => {
    if (needs.includes(unknownNeed)) return null
    const used = new Set(needs.flatMap((need) => mayHaveUsed(catalogue, held, need)))
    return held.filter((scope) => !used.has(scope))
  }

  const unusedOf = Effect.fnUntraced(function*(apps: ReadonlyArray<HeldScopes>) {
    const seen = yield* seenSince
    const now = yield* clock.now
    const known = seen === null
      ? []
      : apps.map((app) => ({ ...app, since: DateTime.max(seen, app.since) })).filter(({ since }) =>
        isLongAgo(since, now)
      )
    const needs = known.length === 0 ? new Map<ClientId, null>() : yield* needsOf(known)
    return new Map(apps.map(({ clientId }): [ClientId, UnusedScopes | null] => {
      const app = known.find((one) => one.clientId === clientId)
      const seen = needs.get(clientId) ?? null
      const scopes = app === undefined || seen === null ? null : unusedAmong(app.scopes, seen)
      return [clientId, app === undefined || scopes === null ? null : { scopes, since: app.since }]
    }))
  })

  const reachingIn = (scopes: ReadonlyArray<ScopeName>): ReadonlyArray<ScopeName> =>
    reaching.filter((scope) => scopes.includes(scope))

  /** Apps with scopes that reach everyone and that nobody used, by what was added up: one statement for all apps. */
  const candidates = Effect.fnUntraced(function*(seen: DateTime.Utc) {
    const now = yield* clock.now
    const latest = DateTime.toDateUtc(DateTime.subtract(now, { weeks: leastWeeks }))
    const rows = yield* sql<Candidate>`
      SELECT apps.id, apps.scopes, apps.since,
        coalesce(array_agg(DISTINCT n.need) FILTER (WHERE n.need IS NOT NULL), '{}') AS needs
      FROM (SELECT id, scopes, GREATEST(${DateTime.toDateUtc(seen)}::timestamptz, ${
      heldSince(sql)
    }) AS since FROM clients
          WHERE status = 'approved' AND test_of IS NULL AND NOT legacy AND scopes && ${reaching}::text[]) AS apps
        LEFT JOIN client_needs n ON n.client_id = apps.id AND n.day >= (apps.since AT TIME ZONE 'UTC')::date
          AND n.outcome = ANY(${uses}::text[])
      WHERE apps.since <= ${latest}::timestamptz
      GROUP BY apps.id, apps.scopes, apps.since`
    return rows.flatMap(({ id, needs, scopes, since }): ReadonlyArray<AppWithUnused & HeldScopes> => {
      const app = { clientId: id, scopes, since: DateTime.fromDateUnsafe(since) }
      const unused = unusedAmong(scopes, needs)
      const found = reachingIn(unused ?? [])
      return found.length === 0 ? [] : [{ ...app, unused: found }]
    })
  })

  const worstFirst = Order.combineAll<AppWithUnused>([
    Order.mapInput(Order.flip(Order.Number), ({ unused }) => Math.max(...unused.map(catalogue.riskOf))),
    Order.mapInput(Order.flip(Order.Number), ({ unused }) => unused.length),
    Order.mapInput(Order.String, ({ clientId }) => clientId)
  ])

  const page = Effect.fnUntraced(function*(asked: number) {
    const seen = yield* seenSince
    if (seen === null) return null
    const found = Array.sort(yield* candidates(seen), worstFirst)
    const pages = Math.max(1, Math.ceil(found.length / pageSize))
    const at = Math.min(Math.max(1, asked), pages)
    const shown = found.slice((at - 1) * pageSize, at * pageSize)
    // What waits to be added up may have used them.
    const now = yield* unusedOf(shown)
    return {
      apps: shown.flatMap(({ clientId }): ReadonlyArray<AppWithUnused> => {
        const { scopes = [], since = seen } = now.get(clientId) ?? {}
        const unused = reachingIn(scopes)
        return unused.length === 0 ? [] : [{ clientId, unused, since }]
      }),
      isCurrent: [...now.values()].every((one) => one !== null),
      total: found.length,
      page: at,
      pages
    } satisfies UnusedPage
  })

  return { unusedOf, page }
})

const isLongAgo = (since: DateTime.Utc, now: DateTime.Utc): boolean =>
  DateTime.isLessThanOrEqualTo(since, DateTime.subtract(now, { weeks: leastWeeks }))

const uses = Outcome.literals.filter((outcome) => !isRefusal[outcome])

const pageSize = 25

interface Row {
  /** `null` of a row about what waits; such a row without counts says that more waits in its slice than is read. */
  readonly id: ClientId | null
  readonly need: Need
  readonly slice: number | null
  readonly counts: string | null
}

interface Candidate {
  readonly id: ClientId
  readonly scopes: ReadonlyArray<ScopeName>
  readonly since: Date
  readonly needs: ReadonlyArray<Need>
}
