import { Console, Effect } from "effect"
import type { Source } from "./load/Load.ts"
import { SteadyLoad, type Window } from "./load/SteadyLoad.ts"
import type { Options } from "./Options.ts"
import type { Postgres } from "./Postgres.ts"
import * as Processes from "./Processes.ts"
import type { Server } from "./Server.ts"

/**
 * Sends requests at a fixed rate for many minutes and prints a row of a table for each: the percentiles of each source
 * in milliseconds, what failed, and what server and database used.
 */
export const minutes = Effect.fnUntraced(function*(
  postgres: Postgres,
  server: Server,
  options: Options,
  rate: number,
  sources: Readonly<Record<string, Source>>
) {
  const steady = yield* Effect.acquireRelease(
    Effect.sync(() => new SteadyLoad(server.port, options.connections, rate, Object.values(sources))),
    (steady) => Effect.sync(() => steady.close())
  )
  const names = [
    "minute",
    ...Object.keys(sources).map((name) => `${name} p50, p99, p99.9 ms`),
    "answers",
    "failed",
    "CPU of server, database",
    "server"
  ]
  yield* Console.log(`\n| ${names.join(" | ")} |\n|${"--:|".repeat(names.length)}`)
  const cpu = () => [server.pid, postgres.pid].map(Processes.cpuSeconds)
  for (let minute = 1; minute <= options.minutes; minute++) {
    const before = cpu()
    const window = yield* Effect.promise(() => steady.window(60))
    const used = cpu().map((seconds, i) => `${((seconds - (before[i] ?? 0)) / 60 * 100).toFixed(0)} %`).join(", ")
    const memory = `${Processes.residentMegabytes(server.pid).toFixed(0)} MB`
    const columns = [String(minute), ...columnsOf(window), used, memory]
    yield* Console.log(`| ${columns.join(" | ")} |`)
    for (const [problem, count] of window.failures) yield* Console.log(`  ${count} x ${problem}`)
  }
})

const columnsOf = ({ bySource, failures }: Window) => [
  ...bySource.map(({ p50, p99, p999 }) => [p50, p99, p999].map((millis) => millis.toFixed(1)).join(", ")),
  String(bySource.reduce((sum, { answers }) => sum + answers, 0)),
  String([...failures.values()].reduce((sum, count) => sum + count, 0))
]
