// @effect-diagnostics strictEffectProvide:off
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ScatteredLoad } from "../load/ScatteredLoad.ts"
import { minutes } from "../Minutes.ts"
import type { Options } from "../Options.ts"
import * as Postgres from "../Postgres.ts"
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
  yield* Console.log(`${grants} grants, ${rate} refreshes/s of any of them; before: ${(yield* growth(url)).join(", ")}`)
  yield* minutes(postgres, server, options, rate, { refresh: load.refresh(grants) }, {
    names: ["table", "indexes", "dead rows", "vacuums"],
    columns: growth(url)
  })
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
