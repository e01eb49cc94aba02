import { Console, Effect } from "effect"
import { TokenLoad } from "../load/TokenLoad.ts"
import * as Measure from "../Measure.ts"
import type { Options } from "../Options.ts"
import type { Postgres } from "../Postgres.ts"
import { failed, median } from "../Report.ts"
import * as Server from "../Server.ts"
import { slotkey } from "../systems/Slotkey.ts"
import { bareBatched } from "../systems/Yardstick.ts"

// The engine goes on compiling for eight seconds of such a load.
const warm = 10

/**
 * Slotkey and the batched yardstick at the same time, each with a server and a database of its own, and in turns of one
 * second. Where the machine's other tenants come and go within seconds, only two neighbouring turns can be compared.
 */
export const turns = Effect.fnUntraced(function*(postgres: Postgres, options: Options) {
  const count = options.rounds * options.seconds
  const population = { clients: options.clients, users: 1000, codes: (count + warm) * 20_000 }
  const sides = yield* Effect.forEach([bareBatched, slotkey], (system, i) =>
    Effect.gen(function*() {
      const url = yield* postgres.database(`bench_${i}`)
      yield* system.prepare(url, population)
      return { system, load: new TokenLoad(population), server: yield* Server.start(system, url, options) }
    }))

  for (const operation of ["exchange", "refresh"] as const) {
    const measured = sides.map(() => new Array<Measure.Result>())
    for (let turn = -warm; turn < count; turn++) {
      for (const [i, { load, server, system }] of sides.entries()) {
        const result = yield* Measure.loop(postgres, [server], load[operation], { ...options, warmUp: 0, seconds: 1 })
        if (turn >= 0) measured[i]?.push({ ...result, system: system.name, operation })
      }
    }
    const [bare = [], own = []] = measured
    const rates = (results: ReadonlyArray<Measure.Result>) => results.map(({ rate }) => rate)
    const ratios = rates(own).map((rate, turn) => rate / (bare[turn]?.rate ?? Number.NaN))
    yield* Console.log(
      `${operation}: ${bareBatched.name} ${Math.round(median(rates(bare)))}/s, ${slotkey.name} ` +
        `${Math.round(median(rates(own)))}/s; ratio in the median of ${count} turns ${median(ratios).toFixed(2)}, ` +
        `in the best ${Math.max(...ratios).toFixed(2)}, in the worst ${Math.min(...ratios).toFixed(2)}; ` +
        `p99 ${median(bare.map(({ p99 }) => p99)).toFixed(1)} and ${
          median(own.map(({ p99 }) => p99)).toFixed(1)
        } ms; ` +
        `${own.reduce((sum, run) => sum + failed(run), 0)} failed`
    )
  }
})
