import { Effect, type Scope } from "effect"
import { TokenLoad } from "../load/TokenLoad.ts"
import * as Measure from "../Measure.ts"
import * as Nginx from "../Nginx.ts"
import type { Operation } from "../Operations.ts"
import type { Options } from "../Options.ts"
import type { Postgres } from "../Postgres.ts"
import * as Processes from "../Processes.ts"
import * as Server from "../Server.ts"
import type { System } from "../systems/System.ts"
import { bareBatched } from "../systems/Yardstick.ts"
import { generator, grants, loadOf, slotkeyWith } from "./CoresLoad.ts"

// What the processes of one server are measured beside, each time as many servers of their own.

/** What a request of each operation cost. */
export type Costs = ReadonlyMap<Operation, Cost>

export interface Cost {
  /** Microseconds of CPU for a request, of all servers and of what stands before them. */
  readonly used: number
  /** Part of what stands before them. */
  readonly proxy: number
  /** Requests that were not answered right. */
  readonly failures: number
}

/** Bare batched servers, of which each gets its part of the connections. */
export const bare = Effect.fnUntraced(function*(postgres: Postgres, count: number, rate: number, options: Options) {
  return yield* measured(postgres, count, rate, options, bareBatched, (ports) => Effect.succeed({ ports, pids: [] }))
})

/** Servers of this project with one process each, behind nginx. */
export const behindNginx = Effect.fnUntraced(
  function*(postgres: Postgres, count: number, rate: number, options: Options) {
    return yield* measured(
      postgres,
      count,
      rate,
      options,
      slotkeyWith({}),
      (ports) => Effect.map(Nginx.serve(ports), ({ pid, port }) => ({ ports: [port], pids: [pid] }))
    )
  }
)

/** What stands before the servers: the ports that the load goes to, and processes of its own. */
interface Front {
  readonly ports: ReadonlyArray<number>
  readonly pids: ReadonlyArray<number>
}

const measured = Effect.fnUntraced(function*(
  postgres: Postgres,
  count: number,
  rate: number,
  options: Options,
  system: System,
  frontOf: (ports: ReadonlyArray<number>) => Effect.Effect<Front, Processes.ProcessError, Scope.Scope>
): Effect.fn.Return<Costs, unknown, Scope.Scope> {
  const { population, warmUp } = loadOf(count, rate, options)
  const url = yield* postgres.database("bench")
  yield* system.prepare(url, population)
  const servers = yield* Effect.replicateEffect(Server.start(system, url, options), count)
  const front = yield* frontOf(servers.map(({ port }) => port))
  const load = new TokenLoad(population)
  const { offer, warm } = generator(front.ports, rate, options)
  const usedBy = (pids: ReadonlyArray<number>) => pids.reduce((sum, pid) => sum + Processes.cpuSeconds(pid), 0)
  const used = () => ({ servers: usedBy(servers.map(({ pid }) => pid)), proxy: usedBy(front.pids) })
  const results = new Map<Operation, Cost>()
  yield* warm(load.exchange, grants)
  for (const operation of system.answers.filter((name) => name.includes(options.only))) {
    const source = Measure.sources(load)[operation]
    yield* warm(source, warmUp)
    const before = used()
    const { failures, sent } = yield* offer(source)
    const after = used()
    const proxy = (after.proxy - before.proxy) / sent * 1e6
    results.set(operation, { used: (after.servers - before.servers) / sent * 1e6 + proxy, proxy, failures })
  }
  return results
})
