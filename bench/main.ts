import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { cpus } from "node:os"
import * as Options from "./Options.ts"
import * as Postgres from "./Postgres.ts"
import * as Profile from "./Profile.ts"
import * as Report from "./Report.ts"
import * as Run from "./Run.ts"
import type { System } from "./systems/System.ts"
import { bare, bareBatched } from "./systems/Yardstick.ts"

const systems: ReadonlyArray<System> = [bare, bareBatched]

const bench = Effect.gen(function*() {
  const options = Options.read(process.argv.slice(2))
  const postgres = yield* Postgres.serve
  yield* Console.log(
    `${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.version}, ${postgres.version}; ` +
      `${options.connections} connections, ${options.clients} clients, ${options.seconds} s each`
  )
  const results: Array<Run.Result> = []
  for (let round = 1; round <= options.rounds; round++) {
    for (const system of systems.filter(({ name }) => name.includes(options.only))) {
      const measured = yield* Run.measure(postgres, system, options)
      yield* Console.log(measured.map(Report.line).join("\n"))
      results.push(...measured)
    }
  }
  yield* Console.log(`\n${Report.table(results, bareBatched.name)}`)
  if (options.profile) yield* Console.log(`\n${Profile.summaries().join("\n\n")}`)
})

bench.pipe(Effect.scoped, NodeRuntime.runMain)
