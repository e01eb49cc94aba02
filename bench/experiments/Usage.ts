// @effect-diagnostics strictEffectProvide:off
import { Clock, Console, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { rowsOf } from "../../src/core/usage/UsageBatch.ts"
import { UsageInbox } from "../../src/core/usage/UsageInbox.ts"
import { waiting } from "../../src/core/usage/UsageMerge.ts"
import { GrantId } from "../../src/domain/Ids.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import type { Options } from "../Options.ts"
import * as Postgres from "../Postgres.ts"
import * as Processes from "../Processes.ts"
import { addBallast } from "../systems/Ballast.ts"
import { slotkey } from "../systems/Slotkey.ts"

/**
 * Hands over counts of grants and adds them up, and tells what of the database that takes: CPU of all its processes and
 * bytes of the write-ahead log (docs/operations/capacity.md). A row has the counts of as many grants as one of a large
 * server, and every grant is in as many rows as are added up at once there.
 */
export const usage = Effect.fnUntraced(function*(postgres: Postgres.Postgres, options: Options) {
  const url = yield* postgres.database("bench")
  yield* slotkey.prepare(url, { clients: options.clients, users: 1000, codes: 10 })
  yield* addBallast(url, options.ballast)
  const measure = run(postgres).pipe(
    Effect.provide(
      Layer.mergeAll(UsageInbox.layer, AppConfig.layerTest()).pipe(Layer.provideMerge(Postgres.connect(url)))
    )
  )
  yield* measure
})

const run = Effect.fnUntraced(function*(postgres: Postgres.Postgres) {
  const sql = yield* SqlClient.SqlClient
  const inbox = yield* UsageInbox
  const ids = (yield* sql<{ readonly id: string }>`SELECT id FROM grants WHERE client_id LIKE 'ballast%'`)
    .map(({ id }) => GrantId.make(id))
  const merge = yield* waiting.prepare

  const cost = Effect.fnUntraced(
    function*<A, E, R>(name: string, count: number, of: string, act: Effect.Effect<A, E, R>) {
      yield* sql`CHECKPOINT`
      const cpu = Processes.cpuSeconds(postgres.pid)
      const before = yield* position
      yield* act
      const after = yield* position
      const used = Processes.cpuSeconds(postgres.pid) - cpu
      yield* Console.log(
        `${name}: ${(used / count * 1e6).toFixed(2)} µs and ${
          ((after - before) / count).toFixed(0)
        } bytes of the log ` +
          `for each of ${count} ${of}`
      )
    }
  )
  const position = Effect.map(
    sql<{ readonly bytes: number }>`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes`,
    ([row]) => row?.bytes ?? 0
  )

  for (const cells of [12, 100]) {
    for (const round of ["new grants", "known grants"]) {
      const at = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      // Each grant with two rights, in two rows.
      const counts = ids.flatMap((grantId, n) =>
        ["BOOKING_READ", "PROFILE_READ"].map((need) => ({ grantId, need, calls: 1 + n % 9, first: at - 40, last: at }))
      )
      const rows = Array.from(
        { length: Math.ceil(counts.length / cells) },
        (_, n) => rowsOf({ at, grants: counts.slice(n * cells, (n + 1) * cells), needs: [], operations: [] })
      ).flat()
      const batches = Array.from(
        { length: Math.ceil(rows.length / 1_000) },
        (_, n) => rows.slice(n * 1_000, (n + 1) * 1_000)
      )
      yield* cost(
        `handed over, ${cells} in a row`,
        counts.length,
        "counts",
        Effect.forEach(batches, (rows) => inbox.deliver({ sender: "bench", batch: randomUUID(), rows, gaps: [] }))
      )
      const all = Effect.gen(function*() {
        for (let more = true; more;) more = (yield* merge).more
      })
      yield* cost(`added up, ${round}`, ids.length, "grants", all)
    }
  }
})
