import { Console, Effect } from "effect"
import { TokenLoad } from "../load/TokenLoad.ts"
import * as Measure from "../Measure.ts"
import type { Options } from "../Options.ts"
import type { Postgres } from "../Postgres.ts"
import * as Report from "../Report.ts"
import * as Server from "../Server.ts"
import { peers } from "../systems/Peers.ts"
import { slotkey } from "../systems/Slotkey.ts"
import type { System } from "../systems/System.ts"
import { bare, bareBatched } from "../systems/Yardstick.ts"

const systems: ReadonlyArray<System> = [bare, bareBatched, slotkey, ...peers]

/**
 * Slotkey beside the yardsticks and what else could be installed, all in turn, so that the machine's drift affects each
 * of them alike.
 */
export const comparison = Effect.fnUntraced(function*(postgres: Postgres, options: Options) {
  const results: Array<Measure.Result> = []
  for (let round = 1; round <= options.rounds; round++) {
    for (const system of systems.filter(({ name }) => name.includes(options.only))) {
      const measured = yield* measure(postgres, system, options)
      yield* Console.log(measured.map(Report.line).join("\n"))
      results.push(...measured)
    }
  }
  yield* Console.log(`\n${Report.table(results, bareBatched.name)}`)
})

/** Measures one system on a new database and in a new process. */
const measure = Effect.fnUntraced(function*(postgres: Postgres, system: System, options: Options) {
  const population = { clients: options.clients, users: 1000, codes: Measure.codesFor(options), pkce: true }
  const url = yield* postgres.database("bench")
  yield* system.prepare(url, population)
  const server = yield* Server.start(system, url, options)
  yield* Console.log(`${system.name}: first answer after ${server.startUp.toFixed(0)} ms`)
  return yield* Measure.all(postgres, system, [server], new TokenLoad(population, system), options)
}, Effect.scoped)
