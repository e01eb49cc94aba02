import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import * as Sweep from "../../foundation/database/Sweep.ts"
import type { Row } from "./UsageBatch.ts"

/** Counts that a server hands over, or a resource server. */
export interface Delivery {
  /** Who counted: a process of ours, or a resource server. */
  readonly sender: string
  /** A UUID; what has the same of the same sender was sent again. */
  readonly batch: string
  readonly rows: ReadonlyArray<Row>
  readonly gaps: ReadonlyArray<Gap>
}

/** A day on which calls were not counted. */
export interface Gap {
  readonly day: string
  /** Counting is off, there were more rights than cells, or a resource server could not deliver. */
  readonly reason: "off" | "overflow" | "dropped"
  readonly calls: number
}

/**
 * Takes counts: it adds rows that nobody else changes, so no request waits for it. `UsageMerge` adds them up. What is
 * sent again counts once: ids are remembered for longer than anybody tries.
 */
export class UsageInbox extends Context.Service<UsageInbox, {
  /** Answers whether it is new. */
  deliver(delivery: Delivery): Effect.Effect<boolean, SqlError.SqlError>
}>()("slotkey/core/usage/UsageInbox") {
  static readonly layer: Layer.Layer<UsageInbox, never, SqlClient.SqlClient> = Layer.effect(
    UsageInbox,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const deliver = Effect.fnUntraced(function*({ batch, gaps, rows, sender }: Delivery) {
        const now = yield* DatabaseClock.statementNow
        // Days are locked in the order of the key, so that two nodes cannot deadlock.
        const received = yield* sql`WITH received AS (
            INSERT INTO usage_received (sender, batch, at) VALUES (${sender}, ${batch}::uuid, ${now})
            ON CONFLICT DO NOTHING RETURNING at
          ), missed AS (
            INSERT INTO usage_gaps AS g (day, reason, calls)
            SELECT n.day::date, n.reason, n.calls FROM received,
              unnest(${gaps.map(({ day }) => day)}::text[], ${gaps.map(({ reason }) => reason)}::text[],
                ${gaps.map(({ calls }) => calls)}::bigint[]) AS n (day, reason, calls)
            ORDER BY n.day, n.reason
            ON CONFLICT (day, reason) DO UPDATE SET calls = g.calls + excluded.calls
          ), waiting AS (
            INSERT INTO usage_batches (slice, at, counts)
            SELECT n.slice, received.at, n.counts FROM received,
              unnest(${rows.map(({ slice }) => slice)}::integer[], ${rows.map(({ counts }) => counts)}::text[])
                AS n (slice, counts)
          )
          SELECT at FROM received`
        return received.length > 0
      })

      return UsageInbox.of({ deliver })
    })
  )
}

/** Longer than a resource server keeps what it could not send. */
const remembered = Duration.days(1)

export const sweeps = [
  Sweep.where({
    table: "usage_received",
    retention: remembered,
    rows: "ids of counts that were handed over"
  }, (sql, ago) => sql`at < ${ago(remembered)}`),
  Sweep.where({
    table: "usage_gaps",
    retention: "grantLifetime",
    rows: "days on which calls were not counted"
  }, (sql, ago, { grantLifetime }) => sql`day < ${ago(grantLifetime)}`)
]
