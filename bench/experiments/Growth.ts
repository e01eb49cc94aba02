// @effect-diagnostics strictEffectProvide:off
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TokenLoad } from "../load/TokenLoad.ts"
import * as Measure from "../Measure.ts"
import type { Options } from "../Options.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../Server.ts"
import { slotkey } from "../systems/Slotkey.ts"

const grants = 20_000
const portion = 100_000

/** Refreshes the same grants many times, and tells how much the tables have grown. */
export const growth = Effect.fnUntraced(function*(postgres: Postgres.Postgres, options: Options) {
  const population = { clients: options.clients, users: 1000, codes: grants }
  const url = yield* postgres.database("bench")
  yield* slotkey.prepare(url, population)
  const server = yield* Server.start(slotkey, url, options)
  const load = new TokenLoad(population)
  yield* Measure.loop(postgres, [server], load.exchange, { ...options, warmUp: 0, seconds: 600 })
  yield* Console.log(`${grants} grants: ${yield* sizes(url)}`)
  for (let made = 0; made < options.refreshes; made += portion) {
    let left = Math.min(portion, options.refreshes - made)
    const source = () => left-- > 0 ? load.refresh() : undefined
    const { memory, rate } = yield* Measure.loop(postgres, [server], source, { ...options, warmUp: 0, seconds: 600 })
    yield* Console.log(
      `${Math.min(made + portion, options.refreshes)} refreshes, ${Math.round(rate)}/s, ${memory.toFixed(0)} MB: ` +
        (yield* sizes(url))
    )
  }
})

const sizes = (url: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const tables = yield* sql<{ name: string; kilobytes: number; updates: number; hot: number }>`
      SELECT relname AS name, (pg_total_relation_size(relid) / 1024)::int AS kilobytes, n_tup_upd::int AS updates,
        n_tup_hot_upd::int AS hot
      FROM pg_stat_user_tables WHERE n_live_tup + n_dead_tup > 0 ORDER BY relname`
    return tables.map(({ hot, kilobytes, name, updates }) =>
      `${name} ${kilobytes} kB` + (updates > 0 ? ` (${(hot / updates * 100).toFixed(1)} % of updates heap-only)` : "")
    ).join(", ")
  }).pipe(Effect.provide(Postgres.connect(url)))
