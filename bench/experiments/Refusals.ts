// @effect-diagnostics strictEffectProvide:off
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Connection } from "../load/Connection.ts"
import type { Source } from "../load/Load.ts"
import { openLoop } from "../load/OpenLoop.ts"
import { TokenLoad } from "../load/TokenLoad.ts"
import * as TokenRequests from "../load/TokenRequests.ts"
import * as Measure from "../Measure.ts"
import type { Options } from "../Options.ts"
import * as Postgres from "../Postgres.ts"
import * as Processes from "../Processes.ts"
import { failed, median } from "../Report.ts"
import * as Server from "../Server.ts"
import { checkout } from "../systems/Checkout.ts"
import { slotkey } from "../systems/Slotkey.ts"
import { empty } from "../systems/Yardstick.ts"

/** Connections that ask again as soon as they are refused. */
const connections = 1000

/** More than the server has slots (`src/app/Server.ts`). */
const held = 200

/**
 * CPU time of a refusal beside an empty handler's of `node:http`, which gets the same requests at the same rate: in
 * pairs, so that the machine's drift affects both alike. All slots are taken by requests that wait for a locked table.
 */
export const refusals = Effect.fnUntraced(function*(postgres: Postgres.Postgres, options: Options) {
  const population = { clients: options.clients, users: 1000, codes: 1000 }
  const url = yield* postgres.database("bench")
  yield* slotkey.prepare(url, population)
  const patient = options.base === "" ? slotkey : checkout(options.base)
  const server = yield* Server.start(
    {
      ...patient,
      process: (...where) => {
        const { args, env } = patient.process(...where)
        return { args, env: { ...env, TOKEN_TIMEOUT: "1 minute" } }
      }
    },
    url,
    options
  )
  const nothing = yield* Server.start(empty, url, options)
  const load = new TokenLoad(population)
  yield* Measure.loop(postgres, [server], load.exchange, { ...options, warmUp: 0, seconds: 60 })

  const refuse = (seconds: number) =>
    Effect.acquireUseRelease(
      Effect.sync(() => holdSlots(server.port, load.refresh)),
      () =>
        Measure.loop(postgres, [server], answeredWith(503), { ...options, warmUp: 0, seconds, connections }).pipe(
          Effect.map(({ answers, cpu, failures, p99, rate }) => ({
            failures,
            p99,
            rate,
            used: cpu.server / answers * 1e6
          }))
        ),
      (waiting) => Effect.sync(() => waiting.forEach((connection) => connection.close()))
    )
  const answer = Effect.fnUntraced(function*(rate: number, seconds: number) {
    const before = Processes.cpuSeconds(nothing.pid)
    const goesOn = (_: number, elapsed: number) => elapsed < seconds * 1000
    const source = answeredWith(200)
    const offered = yield* Effect.promise(() => openLoop({ port: nothing.port, connections, rate, source, goesOn }))
    const used = (Processes.cpuSeconds(nothing.pid) - before) / offered.sent * 1e6
    return { failures: offered.failures, p99: offered.servedP99, rate: offered.sent / offered.seconds, used }
  })
  const pairs: Array<readonly [Requests, Requests]> = []
  const compare = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`LOCK TABLE clients, codes, grants IN ACCESS EXCLUSIVE MODE`
    for (let round = 0; round <= options.rounds; round++) {
      const seconds = round === 0 ? options.warmUp : options.seconds
      const refused = yield* refuse(seconds)
      const pair = [yield* answer(refused.rate, seconds), refused] as const
      // The first round is the warm-up.
      if (round > 0) pairs.push(pair)
    }
  })
  yield* SqlClient.SqlClient.use((sql) => sql.withTransaction(compare)).pipe(Effect.provide(Postgres.connect(url)))

  const ratios = pairs.map(([none, own]) => own.used / none.used)
  const of = (side: 0 | 1) => {
    const runs = pairs.map((pair) => pair[side])
    return `${median(runs.map(({ used }) => used)).toFixed(1)} µs of CPU (${
      Math.round(median(runs.map(({ rate }) => rate)))
    }/s, p99 ${median(runs.map(({ p99 }) => p99)).toFixed(0)} ms)`
  }
  yield* Console.log(
    `an empty handler: ${of(0)}; a refusal: ${of(1)}; ratio in the median of ${options.rounds} pairs ` +
      `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}); ` +
      `${pairs.flat().reduce((sum, run) => sum + failed(run), 0)} failed`
  )
  for (const [problem, count] of pairs.flat().flatMap(({ failures }) => [...failures])) {
    yield* Console.log(`  ${count} x ${problem}`)
  }
})

/** What a request cost on average. */
interface Requests {
  readonly failures: ReadonlyMap<string, number>
  readonly p99: number
  readonly rate: number
  /** Microseconds of CPU. */
  readonly used: number
}

const answeredWith = (status: number): Source => () => ({
  bytes: TokenRequests.refresh(0, "a-token-that-nobody-looks-at-because-the-server-is-busy"),
  faultOf: (answer) => answer.status === status ? undefined : `${answer.status} ${answer.body.slice(0, 120)}`
})

const holdSlots = (port: number, source: Source): ReadonlyArray<Connection> =>
  Array.from({ length: held }, () => {
    const connection = new Connection(port)
    connection.send(source()?.bytes ?? "", () => {})
    return connection
  })
