import { Console, Effect } from "effect"
import { TokenLoad } from "../load/TokenLoad.ts"
import * as Measure from "../Measure.ts"
import type { Options } from "../Options.ts"
import type { Postgres } from "../Postgres.ts"
import * as Report from "../Report.ts"
import * as Server from "../Server.ts"
import { addBallast } from "../systems/Ballast.ts"
import { slotkey } from "../systems/Slotkey.ts"

/** Same load on an empty database and on a large one, in turn. */
export const large = Effect.fnUntraced(function*(postgres: Postgres, options: Options) {
  const population = { clients: 1000, users: 1000, codes: Measure.codesFor(options) * options.rounds }
  const { clients, grants } = options.ballast
  const empty = slotkey
  const full = {
    ...slotkey,
    name: `${slotkey.name}, ${grants.toLocaleString("en")} grants, ${clients.toLocaleString("en")} clients`
  }
  const sides = yield* Effect.forEach([empty, full], (system, i) =>
    Effect.gen(function*() {
      const url = yield* postgres.database(`bench_${i}`)
      yield* system.prepare(url, population)
      if (system === full) yield* Console.log(`loaded in ${(yield* addBallast(url, options.ballast)).toFixed(0)} s`)
      return { system, load: new TokenLoad(population), url }
    }))

  const results: Array<Measure.Result> = []
  for (let round = 1; round <= options.rounds; round++) {
    for (const { load, system, url } of sides) {
      const measured = yield* Effect.scoped(Effect.gen(function*() {
        const server = yield* Server.start(system, url, options)
        return yield* Measure.all(postgres, system, [server], load, options)
      }))
      yield* Console.log(measured.map(Report.line).join("\n"))
      results.push(...measured)
    }
  }
  yield* Console.log(`\n${Report.table(results, empty.name)}`)
})
