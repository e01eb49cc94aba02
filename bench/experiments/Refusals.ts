// @effect-diagnostics strictEffectProvide:off
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Connection } from "../load/Connection.ts"
import type { Source } from "../load/Load.ts"
import { TokenLoad } from "../load/TokenLoad.ts"
import * as TokenRequests from "../load/TokenRequests.ts"
import * as Measure from "../Measure.ts"
import type { Options } from "../Options.ts"
import * as Postgres from "../Postgres.ts"
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
 * The CPU time of a refusal beside that of an empty handler of `node:http`, which gets the same requests: in pairs, so that
 * the machine's drift affects both alike. All slots are taken by requests that wait for a locked table.
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

  const measure = (system: Server.Server, status: number, seconds: number) =>
    Measure.loop(postgres, [system], answeredWith(status), { ...options, warmUp: 0, seconds, connections })
  const refuse = (seconds: number) =>
    Effect.acquireUseRelease(
      Effect.sync(() => holdSlots(server.port, load.refresh)),
      () => measure(server, 503, seconds),
      (waiting) => Effect.sync(() => waiting.forEach((connection) => connection.close()))
    )
  const pairs: Array<readonly [Measure.Measurement, Measure.Measurement]> = []
  const compare = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`LOCK TABLE clients, codes, grants IN ACCESS EXCLUSIVE MODE`
    for (let round = 0; round <= options.rounds; round++) {
      const seconds = round === 0 ? options.warmUp : options.seconds
      const pair = [yield* measure(nothing, 200, seconds), yield* refuse(seconds)] as const
      // The first round is the warm-up.
      if (round > 0) pairs.push(pair)
    }
  })
  yield* SqlClient.SqlClient.use((sql) => sql.withTransaction(compare)).pipe(Effect.provide(Postgres.connect(url)))

  const ratios = pairs.map(([none, own]) => microseconds(own) / microseconds(none))
  const of = (side: 0 | 1) => {
    const runs = pairs.map((pair) => pair[side])
    return `${median(runs.map(microseconds)).toFixed(1)} µs of CPU (${
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

const microseconds = ({ answers, cpu }: Measure.Measurement): number => cpu.server / answers * 1e6
