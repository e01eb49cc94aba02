// @effect-diagnostics strictEffectProvide:off
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ScatteredLoad } from "../load/ScatteredLoad.ts"
import { SteadyLoad } from "../load/SteadyLoad.ts"
import type { Options } from "../Options.ts"
import * as Postgres from "../Postgres.ts"
import * as Processes from "../Processes.ts"
import * as Server from "../Server.ts"
import * as KnownGrants from "../systems/KnownGrants.ts"
import { slotkey } from "../systems/Slotkey.ts"

/**
 * Refreshes of any of very many grants at a fixed rate, for many minutes: whether vacuum keeps up with what they leave
 * behind, and what it costs those who wait.
 */
export const vacuum = Effect.fnUntraced(function*(postgres: Postgres.Postgres, options: Options) {
  const { grants } = options.ballast
  const rate = options.rate === 0 ? 5_000 : options.rate
  const population = { clients: options.clients, users: 100_000, codes: 0 }
  const url = yield* postgres.database("bench_vacuum")
  yield* slotkey.prepare(url, population)
  yield* KnownGrants.openGrants(url, grants, population)
  const load = new ScatteredLoad(population, yield* KnownGrants.tokens(url, population), grants)
  const server = yield* Server.start(slotkey, url, options)
  const steady = yield* Effect.acquireRelease(
    Effect.sync(() => new SteadyLoad(server.port, options.connections, rate, [load.refresh(grants)])),
    (steady) => Effect.sync(() => steady.close())
  )
  yield* Console.log(
    `${grants} grants, ${rate} refreshes/s of any of them\n\n` +
      "| minute | answers | failed | p50, p99, p99.9 ms | CPU of server, database | server | table | indexes | dead rows " +
      "| vacuums |\n|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
  )
  const cpu = () => [server.pid, postgres.pid].map(Processes.cpuSeconds)
  yield* Console.log(`| 0 | | | | | | ${(yield* growth(url)).join(" | ")} |`)
  for (let minute = 1; minute <= options.minutes; minute++) {
    const before = cpu()
    const { bySource: [answered], failures } = yield* Effect.promise(() => steady.window(60))
    const used = cpu().map((seconds, i) => `${((seconds - (before[i] ?? 0)) / 60 * 100).toFixed(0)} %`)
    const { answers = 0, p50 = 0, p99 = 0, p999 = 0 } = answered ?? {}
    const columns = [
      String(answers),
      String([...failures.values()].reduce((sum, count) => sum + count, 0)),
      [p50, p99, p999].map((millis) => millis.toFixed(1)).join(", "),
      used.join(", "),
      `${Processes.residentMegabytes(server.pid).toFixed(0)} MB`,
      ...yield* growth(url)
    ]
    yield* Console.log(`| ${minute} | ${columns.join(" | ")} |`)
    for (const [problem, count] of failures) yield* Console.log(`  ${count} x ${problem}`)
  }
})

const growth = (url: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [table] = yield* sql<{ table: number; indexes: number; dead: number; vacuums: number }>`
      SELECT pg_table_size(relid)::float8 AS table, pg_indexes_size(relid)::float8 AS indexes,
        n_dead_tup::float8 AS dead, autovacuum_count::int AS vacuums
      FROM pg_stat_user_tables WHERE relname = 'grants'`
    const { dead = 0, indexes = 0, table: bytes = 0, vacuums = 0 } = table ?? {}
    return [`${(bytes / 1e6).toFixed(0)} MB`, `${(indexes / 1e6).toFixed(0)} MB`, String(dead), String(vacuums)]
  }).pipe(Effect.provide(Postgres.connect(url)))
