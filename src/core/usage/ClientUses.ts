import { DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId } from "../../domain/Ids.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import { mostWaiting } from "./GrantUses.ts"
import { addedByClient, sliceOfClient } from "./UsageBatch.ts"
import type { ClientUse, Outcome } from "./Use.ts"

/** Makes what reads the calls of an app: what was added up, and what waits for that. */
export const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const clock = yield* DatabaseClock
  const { usageLifetime } = yield* AppConfig

  const read = Effect.fnUntraced(function*(ids: ReadonlyArray<ClientId>, at: DateTime.Utc) {
    const now = yield* clock.now
    const from = DateTime.formatIsoDateUtc(DateTime.max(at, DateTime.subtractDuration(now, usageLifetime)))
    // What waits for many clients is more than a page reads: it may be missing while it is young.
    const slices = ids.length === 1 ? ids.map(sliceOfClient) : []
    const young = DateTime.toDateUtc(DateTime.subtractDuration(now, mergedWithin))
    // In one statement, so that counts which are being added up are seen once.
    const rows = yield* sql<Row>`
      SELECT 'needs' AS kind, client_id, to_char(day, 'YYYY-MM-DD') AS day, need AS of, outcome, calls::float8,
        NULL AS counts
      FROM client_needs WHERE client_id = ANY(${ids}::text[]) AND day >= ${from}::text::date
      UNION ALL
      SELECT 'operations', client_id, to_char(max(day), 'YYYY-MM-DD'), operation, outcome, sum(calls)::float8, NULL
      FROM client_operations WHERE client_id = ANY(${ids}::text[]) AND day >= ${from}::text::date
      GROUP BY client_id, operation, outcome
      UNION ALL
      (SELECT 'waiting', '', '', '', '', 0, counts
      FROM usage_batches WHERE slice = ANY(${slices}::integer[]) ORDER BY id LIMIT ${mostWaiting + 1})
      UNION ALL
      SELECT 'old', '', '', '', '', 0, NULL FROM (SELECT at FROM usage_batches ORDER BY id LIMIT 1) oldest
      WHERE at < ${young} AND ${ids.length > 1}`
    const waiting = rows.flatMap(({ counts }) => counts === null ? [] : [counts])
    const isCurrent = waiting.length <= mostWaiting && !rows.some(({ kind }) => kind === "old")
    return new Map(ids.map((id) => {
      const added = addedByClient(waiting, id)
      const needs = new Sums()
      const operations = new Sums()
      for (const { calls, clientId, day, kind, of, outcome } of rows) {
        if (clientId !== id) continue
        if (kind === "needs") needs.add(`${day} ${outcome} ${of}`, { day, of, outcome, calls })
        else operations.add(`${outcome} ${of}`, { day, of, outcome, calls })
      }
      for (const sum of added.needs) if (sum.day >= from) needs.add(`${sum.day} ${sum.outcome} ${sum.of}`, sum)
      for (const sum of added.operations) if (sum.day >= from) operations.add(`${sum.outcome} ${sum.of}`, sum)
      return [id, {
        days: needs.list.map(({ calls, day, of, outcome }) => ({ day, need: of, outcome, calls }))
          .toSorted((a, b) => a.day < b.day ? -1 : a.day > b.day ? 1 : b.calls - a.calls),
        operations: operations.list
          .map(({ calls, day, of, outcome }) => ({ operation: of, outcome, calls, lastDay: day }))
          .toSorted((a, b) => b.calls - a.calls),
        isCurrent
      }]
    }))
  })

  /** Calls since an instant, whose day counts as a whole. */
  const since = (clientId: ClientId, at: DateTime.Utc) =>
    Effect.map(read([clientId], at), (uses) => uses.get(clientId) ?? nothing)

  const ofClient = Effect.fnUntraced(function*(clientId: ClientId, days: number) {
    return yield* since(clientId, DateTime.subtract(yield* clock.now, { days: days - 1 }))
  })

  return { ofClient, read }
})

/** Counts wait for five minutes, unless the worker is behind. */
const mergedWithin = Duration.hours(1)

const nothing: ClientUse = { days: [], operations: [], isCurrent: true }

interface Sum {
  /** Of an operation the last one. */
  readonly day: string
  readonly of: string
  readonly outcome: Outcome
  readonly calls: number
}

interface Row extends Sum {
  readonly kind: "needs" | "operations" | "waiting" | "old"
  readonly clientId: ClientId
  readonly counts: string | null
}

class Sums {
  readonly #sums = new Map<string, Sum>()

  add(key: string, { calls, day, of, outcome }: Sum): void {
    const known = this.#sums.get(key)
    const last = known === undefined || known.day < day ? day : known.day
    this.#sums.set(key, { day: last, of, outcome, calls: calls + (known?.calls ?? 0) })
  }

  get list() {
    return [...this.#sums.values()]
  }
}
