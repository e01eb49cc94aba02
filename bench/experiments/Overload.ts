import { Console, Effect, Fiber, Schedule } from "effect"
import { openLoop } from "../load/OpenLoop.ts"
import { TokenLoad } from "../load/TokenLoad.ts"
import * as Measure from "../Measure.ts"
import type { Options } from "../Options.ts"
import type { Postgres } from "../Postgres.ts"
import * as Processes from "../Processes.ts"
import * as Server from "../Server.ts"
import { slotkey } from "../systems/Slotkey.ts"

const times = 5

/**
 * Refreshes at several times the capacity, over as many times the connections: what is served, what is refused, and how
 * the server does afterwards.
 */
export const overload = Effect.fnUntraced(function*(postgres: Postgres, options: Options) {
  const population = { clients: options.clients, users: 1000, codes: 20_000 }
  const url = yield* postgres.database("bench")
  yield* slotkey.prepare(url, population)
  const server = yield* Server.start(slotkey, url, options)
  const load = new TokenLoad(population)
  yield* Measure.loop(postgres, [server], load.exchange, { ...options, warmUp: 0, seconds: 600 })

  const calm = (name: string) =>
    Effect.tap(Measure.loop(postgres, [server], load.refresh, options), ({ p99, rate }) =>
      Console.log(
        `${name}: ${Math.round(rate)}/s, p99 ${p99.toFixed(0)} ms, ` +
          `${Processes.residentMegabytes(server.pid).toFixed(0)} MB`
      ))

  const { rate } = yield* calm("before")
  const memory = yield* Effect.sync(() => Processes.residentMegabytes(server.pid)).pipe(
    Effect.tap((megabytes) => Console.log(`  ${megabytes.toFixed(0)} MB`)),
    Effect.repeat(Schedule.spaced("2 seconds")),
    Effect.forkChild
  )
  const offered = yield* Effect.promise(() =>
    openLoop({
      port: server.port,
      connections: options.connections * times,
      rate: rate * times,
      goesOn: (_, elapsed) => elapsed < options.seconds * 2000,
      source: load.refresh
    })
  )
  yield* Fiber.interrupt(memory)
  const perSecond = (count: number) => `${Math.round(count / offered.seconds)}/s`
  yield* Console.log(
    `${times} times as much: wanted ${Math.round(rate * times)}/s, sent ${perSecond(offered.sent)}; ` +
      `served ${perSecond(offered.served)}, p99 ${offered.servedP99.toFixed(0)} ms; ` +
      `refused ${perSecond(offered.refused)}, p99 ${offered.refusedP99.toFixed(0)} ms` +
      [...offered.failures].map(([problem, count]) => `\n  ${count} x ${problem}`).join("")
  )
  yield* calm("afterwards")
})
