// @effect-diagnostics strictEffectProvide:off
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Contention } from "../load/Contention.ts"
import { TokenLoad } from "../load/TokenLoad.ts"
import * as Measure from "../Measure.ts"
import type { Options } from "../Options.ts"
import * as Postgres from "../Postgres.ts"
import * as Report from "../Report.ts"
import * as Server from "../Server.ts"
import { slotkey } from "../systems/Slotkey.ts"

/** One process and two on one database, in turn. */
export const nodes = Effect.fnUntraced(function*(postgres: Postgres.Postgres, options: Options) {
  const results: Array<Measure.Result> = []
  const systems = ["one process", "two processes"].map((name) => ({ ...slotkey, name }))
  for (let round = 1; round <= options.rounds; round++) {
    for (const [i, system] of systems.entries()) {
      // Each of two processes gets half of the load, and should become as warm as one alone.
      const warm = { ...options, warmUp: options.warmUp * (i + 1) }
      const population = { clients: options.clients, users: 1000, codes: Measure.codesFor(warm) }
      const measured = yield* Effect.scoped(Effect.gen(function*() {
        const url = yield* postgres.database("bench")
        yield* system.prepare(url, population)
        const servers = yield* startAll(url, i + 1, options)
        return yield* Measure.all(postgres, system, servers, new TokenLoad(population), warm)
      }))
      yield* Console.log(measured.map(Report.line).join("\n"))
      results.push(...measured)
    }
  }
  yield* Console.log(`\n${Report.table(results, "one process")}`)
})

/** Two processes that compete for the same rows. */
export const chaos = Effect.fnUntraced(function*(postgres: Postgres.Postgres, options: Options) {
  const population = { clients: options.clients, users: 1000, codes: Math.ceil(options.chaosSeconds * 1500) }
  const url = yield* postgres.database("bench")
  yield* slotkey.prepare(url, population)
  const servers = yield* startAll(url, 2, options)
  const contention = new Contention(servers.map(({ port }) => port), population)
  const deadline = performance.now() + options.chaosSeconds * 1000
  while (performance.now() < deadline && !contention.isDry) yield* Effect.promise(() => contention.round())
  contention.close()
  const deadlocks = yield* SqlClient.SqlClient.use((sql) =>
    sql<{ deadlocks: number }>`SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()`
  ).pipe(Effect.provide(Postgres.connect(url)))
  yield* Console.log(
    `${contention.answers} answers, ${deadlocks[0]?.deadlocks ?? "?"} deadlocks` +
      [...contention.problems].map(([problem, count]) => `\n  ${count} x ${problem}`).join("")
  )
})

const startAll = (url: string, count: number, options: Options) =>
  Effect.forEach(Array.from({ length: count }), () => Server.start(slotkey, url, options))
