import { DateTime, Effect } from "effect"
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

  /** Calls since an instant, whose day counts as a whole. */
  const since = Effect.fnUntraced(function*(clientId: ClientId, at: DateTime.Utc) {
    const kept = DateTime.subtractDuration(yield* clock.now, usageLifetime)
    const from = DateTime.formatIsoDateUtc(DateTime.max(at, kept))
    // In one statement, so that counts which are being added up are seen once.
    const rows = yield* sql<Row>`
      SELECT 'needs' AS kind, to_char(day, 'YYYY-MM-DD') AS day, need AS of, outcome, calls::float8, NULL AS counts
      FROM client_needs WHERE client_id = ${clientId} AND day >= ${from}::text::date
      UNION ALL
      SELECT 'operations', '', operation, outcome, sum(calls)::float8, NULL
      FROM client_operations WHERE client_id = ${clientId} AND day >= ${from}::text::date
      GROUP BY operation, outcome
      UNION ALL
      (SELECT 'waiting', '', '', '', 0, counts
      FROM usage_batches WHERE slice = ${sliceOfClient(clientId)} ORDER BY id LIMIT ${mostWaiting + 1})`
    const waiting = rows.flatMap(({ counts }) => counts === null ? [] : [counts])
    const added = addedByClient(waiting, clientId)
    const needs = new Sums()
    const operations = new Sums()
    for (const { calls, day, kind, of, outcome } of rows) {
      if (kind === "needs") needs.add({ day, of, outcome }, calls)
      if (kind === "operations") operations.add({ day: "", of, outcome }, calls)
    }
    for (const { calls, day, of, outcome } of added.needs) if (day >= from) needs.add({ day, of, outcome }, calls)
    for (const { calls, day, of, outcome } of added.operations) {
      if (day >= from) operations.add({ day: "", of, outcome }, calls)
    }
    return {
      days: needs.list.map(({ calls, day, of, outcome }) => ({ day, need: of, outcome, calls }))
        .toSorted((a, b) => a.day < b.day ? -1 : a.day > b.day ? 1 : b.calls - a.calls),
      operations: operations.list.map(({ calls, of, outcome }) => ({ operation: of, outcome, calls }))
        .toSorted((a, b) => b.calls - a.calls),
      isCurrent: waiting.length <= mostWaiting
    } satisfies ClientUse
  })

  const ofClient = Effect.fnUntraced(function*(clientId: ClientId, days: number) {
    return yield* since(clientId, DateTime.subtract(yield* clock.now, { days: days - 1 }))
  })

  return { ofClient }
})

interface Key {
  /** Empty where days are not told apart. */
  readonly day: string
  readonly of: string
  readonly outcome: Outcome
}

interface Row extends Key {
  readonly kind: "needs" | "operations" | "waiting"
  readonly calls: number
  readonly counts: string | null
}

class Sums {
  readonly #sums = new Map<string, Key & { calls: number }>()

  add(key: Key, calls: number): void {
    const text = JSON.stringify([key.day, key.of, key.outcome])
    const known = this.#sums.get(text)
    if (known === undefined) this.#sums.set(text, { ...key, calls })
    else known.calls += calls
  }

  get list() {
    return [...this.#sums.values()]
  }
}
