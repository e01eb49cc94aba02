import { Console, Effect } from "effect"
import { SteadyLoad, type Window } from "../load/SteadyLoad.ts"
import { TokenLoad } from "../load/TokenLoad.ts"
import * as Measure from "../Measure.ts"
import type { Options } from "../Options.ts"
import type { Postgres } from "../Postgres.ts"
import * as Processes from "../Processes.ts"
import * as Server from "../Server.ts"
import { slotkey } from "../systems/Slotkey.ts"

const mixed = ["exchange", "refresh", "check"] as const

/** Grants that are refreshed and checked. Those beyond are only made. */
const kept = 50_000

/**
 * Exchange, refresh and check together at a fixed rate below what the server can, for many minutes: the percentiles of
 * each minute, and what server and database use. Shows what a run of seconds cannot: vacuum, checkpoints, growth.
 */
export const long = Effect.fnUntraced(function*(postgres: Postgres, options: Options) {
  const warm = (options.warmUp + options.seconds) * 3
  const codes = Math.ceil(warm * 15_000 + options.minutes * 60 * (options.rate === 0 ? 1500 : options.rate / 3))
  const population = { clients: options.clients, users: 1000, codes, pkce: true }
  const url = yield* postgres.database("bench")
  yield* slotkey.prepare(url, population)
  const server = yield* Server.start(slotkey, url, options)
  const load = new TokenLoad(population, { kept })
  const sources = mixed.map((operation) => Measure.sources(load)[operation])

  yield* Measure.loop(postgres, [server], sources[0] ?? load.exchange, options)
  const { rate: refreshes } = yield* Measure.loop(postgres, [server], load.refresh, options)
  const rate = options.rate === 0 ? Math.min(refreshes / 3, 4500) : options.rate
  yield* Console.log(
    `${Math.round(refreshes)} refreshes/s were possible; ${
      Math.round(rate)
    } requests/s are sent, a third of each kind\n\n` +
      `| minute | ${mixed.map((name) => `${name} p50, p99, p99.9 ms`).join(" | ")} | answers | failed | ` +
      `CPU of server, database | server |\n|--:|${"--:|".repeat(mixed.length + 4)}`
  )

  const steady = yield* Effect.acquireRelease(
    Effect.sync(() => new SteadyLoad(server.port, options.connections, rate, sources)),
    (steady) => Effect.sync(() => steady.close())
  )
  const cpu = () => [server.pid, postgres.pid].map(Processes.cpuSeconds)
  for (let minute = 1; minute <= options.minutes; minute++) {
    const before = cpu()
    const window = yield* Effect.promise(() => steady.window(60))
    const used = cpu().map((seconds, i) => `${((seconds - (before[i] ?? 0)) / 60 * 100).toFixed(0)} %`)
    const memory = `${Processes.residentMegabytes(server.pid).toFixed(0)} MB`
    yield* Console.log(`| ${minute} | ${[...columns(window), used.join(", "), memory].join(" | ")} |`)
    for (const [problem, count] of window.failures) yield* Console.log(`  ${count} x ${problem}`)
  }
})

const columns = ({ bySource, failures }: Window) => [
  ...bySource.map(({ p50, p99, p999 }) => [p50, p99, p999].map((millis) => millis.toFixed(1)).join(", ")),
  String(bySource.reduce((sum, { answers }) => sum + answers, 0)),
  String([...failures.values()].reduce((sum, count) => sum + count, 0))
]
