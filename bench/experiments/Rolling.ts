// @effect-diagnostics strictEffectProvide:off
import { Console, Effect, Exit, Fiber, Scope } from "effect"
import { closedLoop, type Source } from "../load/Load.ts"
import { type Offered, openLoop } from "../load/OpenLoop.ts"
import { TokenLoad } from "../load/TokenLoad.ts"
import * as Nginx from "../Nginx.ts"
import type { Options } from "../Options.ts"
import type { Population } from "../Population.ts"
import * as Postgres from "../Postgres.ts"
import * as Processes from "../Processes.ts"
import { failed } from "../Report.ts"
import * as Server from "../Server.ts"
import { seed, slotkey } from "../systems/Slotkey.ts"
import type { System } from "../systems/System.ts"

/**
 * Two servers behind nginx, each restarted in its turn under half the load that one carries. Fails when one request did:
 * a 503 is a failure here, whatever it says about trying again.
 */
export const rolling = Effect.fnUntraced(function*(postgres: Postgres.Postgres, options: Options) {
  const rows: Array<string> = []
  let failures = 0
  for (let round = 1; round <= options.rounds; round++) {
    const { capacity, offered, rate } = yield* Effect.scoped(restarted(postgres, slotkey, options))
    failures += failed(offered) + offered.refused
    rows.push(row(round, capacity, rate, offered))
    for (const [problem, count] of offered.failures) yield* Console.log(`  ${count} x ${problem}`)
  }
  yield* Console.log(`\n${[header, ...rows].join("\n")}`)
  if (failures > 0) return yield* new Processes.ProcessError({ message: `${failures} requests failed` })
})

const header = `| run | one server carries | load | requests | failed | of them 503 | p99 | longest |
|---|---|---|---|---|---|---|---|`

const row = (round: number, capacity: number, rate: number, offered: Offered): string =>
  `| ${round} | ${capacity === 0 ? "not measured" : `${Math.round(capacity)}/s`} | ${Math.round(rate)}/s ` +
  `| ${offered.sent.toLocaleString("en")} in ${offered.seconds.toFixed(0)} s | ${failed(offered) + offered.refused} ` +
  `| ${offered.refused} | ${offered.servedP99.toFixed(0)} ms | ${offered.servedWorst.toFixed(0)} ms |`

/** Restarts both servers of a system as servers of this checkout. */
const restarted = Effect.fnUntraced(function*(postgres: Postgres.Postgres, from: System, options: Options) {
  const population: Population = { clients: options.clients, users: 1000, codes: 60_000 }
  const url = yield* postgres.database("rolling")
  const ports = [yield* Processes.freePort, yield* Processes.freePort]
  const nginx = yield* Nginx.serve(ports)
  const [first, second] = yield* Effect.forEach(ports, (port) => node(url, port, options))
  if (first === undefined || second === undefined) return yield* Effect.die("there are two ports")
  yield* first.start(from)
  yield* seed(population).pipe(Effect.provide(Postgres.connect(url)))

  const load = new TokenLoad(population)
  const closed = (seconds: number, source: Source) =>
    Effect.promise(() => closedLoop({ ports: [nginx], connections: options.connections, seconds, source }))
  yield* closed(600, limited(load.exchange, grants))
  yield* closed(options.warmUp, mix(load))
  const capacity = options.rate > 0 ? 0 : (yield* closed(options.seconds, mix(load))).rate
  const rate = options.rate > 0 ? options.rate : capacity / 2

  yield* second.start(from)
  let isOver = false
  const offering = yield* Effect.forkChild(Effect.promise(() =>
    openLoop({
      port: nginx,
      connections: options.connections,
      rate,
      source: mix(load),
      goesOn: (sent) => !isOver || sent < options.requests
    })
  ))
  for (const each of [first, second]) {
    yield* each.stop
    yield* each.start(slotkey)
  }
  isOver = true
  const offered = yield* Fiber.join(offering)
  yield* Effect.all([first.end, second.end], { concurrency: 2 })
  return { capacity, offered, rate }
})

/** Grants that the load begins with: so many that none is refreshed twice at a time. */
const grants = 2_000

const limited = (source: Source, count: number): Source => {
  let left = count
  return () => left-- > 0 ? source() : undefined
}

/** The requests of many apps: of ten one exchanges a code, four refresh, and five call the API. */
const mix = (load: TokenLoad): Source => {
  const check = load.check(grants)
  let sent = 0
  return () => {
    const turn = sent++ % 10
    return (turn === 0 ? load.exchange() : undefined) ?? (turn < 5 ? load.refresh() : check())
  }
}

/** A server that can be stopped, and started again on the same port. */
const node = Effect.fnUntraced(function*(url: string, port: number, options: Options) {
  const scope = yield* Effect.scope
  let life: { readonly scope: Scope.Closeable; readonly pid: number } | undefined

  const start = Effect.fnUntraced(function*(system: System) {
    const own = yield* Scope.fork(scope)
    const drains: System = {
      ...system,
      process: (...where) => {
        const { args, env } = system.process(...where)
        return { args, env: { ...env, DRAIN_DELAY: options.drainDelay } }
      }
    }
    const { pid } = yield* Server.start(drains, url, options, port).pipe(Scope.provide(own))
    life = { scope: own, pid }
  })

  const stop = Effect.suspend(() => life === undefined ? Effect.void : Scope.close(life.scope, Exit.void))
  /** Stops it without the delay, which a signal before the SIGTERM ends. */
  const end = Effect.suspend(() => {
    if (life !== undefined) process.kill(life.pid, "SIGINT")
    return stop
  })
  return { start, stop, end }
})
