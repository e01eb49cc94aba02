// @effect-diagnostics strictEffectProvide:off
import { Console, Effect } from "effect"
import { TokenLoad } from "../load/TokenLoad.ts"
import * as Measure from "../Measure.ts"
import { operations } from "../Operations.ts"
import type { Options } from "../Options.ts"
import * as Postgres from "../Postgres.ts"
import * as Processes from "../Processes.ts"
import { failed, median } from "../Report.ts"
import * as Server from "../Server.ts"
import { checkout } from "../systems/Checkout.ts"
import { seed, slotkey } from "../systems/Slotkey.ts"

/**
 * This checkout beside another one (`--base FOLDER`, with its packages installed), both warm, each with a database of
 * its own, in pairs that begin with either side in turn. Prints the CPU time of the server for each request: on a
 * machine whose speed changes it is steadier than a rate.
 */
export const beside = Effect.fnUntraced(function*(postgres: Postgres.Postgres, options: Options) {
  if (options.base === "") {
    return yield* new Processes.ProcessError({ message: "Name the folder of the other checkout with --base" })
  }
  const codes = Math.ceil(options.warmUp + options.rounds * options.seconds) * 12_000
  const population = { clients: options.clients, users: 1000, codes }
  const sides = yield* Effect.forEach([checkout(options.base), slotkey], (system, i) =>
    Effect.gen(function*() {
      const url = yield* postgres.database(`bench_${i}`)
      // The server migrates the database, so that each side has the tables of its own commit.
      const server = yield* Server.start(system, url, options)
      yield* seed(population).pipe(Effect.provide(Postgres.connect(url)))
      return { server, load: new TokenLoad(population) }
    }))

  for (const operation of operations) {
    const measured = sides.map(() => new Array<Measure.Measurement>())
    for (let pair = -1; pair < options.rounds; pair++) {
      const order = pair % 2 === 0 ? [0, 1] : [1, 0]
      for (const side of order) {
        const { load, server } = sides[side] ?? (yield* Effect.die("there are two sides"))
        const seconds = pair < 0 ? options.warmUp : options.seconds
        const source = Measure.sources(load)[operation]
        const result = yield* Measure.loop(postgres, [server], source, { ...options, warmUp: 0, seconds })
        if (pair >= 0) measured[side]?.push(result)
      }
    }
    const [base = [], own = []] = measured
    const ratios = base.map((run, pair) => microseconds(run) / microseconds(own[pair] ?? run))
    yield* Console.log(
      `${operation}: ${median(base.map(microseconds)).toFixed(1)} µs of CPU for a request in the base, ` +
        `${median(own.map(microseconds)).toFixed(1)} here; base / here in the median of ${options.rounds} pairs ` +
        `${median(ratios).toFixed(3)} (${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}); ` +
        `${Math.round(median(base.map(({ rate }) => rate)))}/s and ${
          Math.round(median(own.map(({ rate }) => rate)))
        }/s; ` +
        `${[...base, ...own].reduce((sum, run) => sum + failed(run), 0)} failed`
    )
  }
})

const microseconds = ({ answers, cpu }: Measure.Measurement): number => cpu.server / answers * 1e6
