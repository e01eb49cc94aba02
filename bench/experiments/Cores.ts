import { Console, Effect } from "effect"
import { closedLoop, type Source } from "../load/Load.ts"
import { type Offered, openLoop } from "../load/OpenLoop.ts"
import { TokenLoad } from "../load/TokenLoad.ts"
import * as Measure from "../Measure.ts"
import { type Operation, operations } from "../Operations.ts"
import type { Options } from "../Options.ts"
import type { Postgres } from "../Postgres.ts"
import * as Processes from "../Processes.ts"
import { failed, median } from "../Report.ts"
import * as Server from "../Server.ts"
import { slotkey } from "../systems/Slotkey.ts"
import type { System } from "../systems/System.ts"
import { bareBatched } from "../systems/Yardstick.ts"

const counts = [1, 2, 4, 8]

/** Grants that the load begins with. */
const grants = 5_000

/** One number of processes, with what a request of each kind costs there. */
interface Run {
  readonly processes: number
  readonly operation: Operation
  readonly rate: number
  /** Microseconds of CPU for a request. */
  readonly server: number
  readonly primary: number
  readonly database: number
  /** Messages in a batch that goes to the database. */
  readonly batch: number
  /** As `server`, of as many bare batched servers; not a number for an operation that they lack. */
  readonly bare: number
  /** The most and the least that one process has used of the CPU, as parts of an equal share. */
  readonly share: readonly [number, number]
  readonly failures: number
}

/**
 * One server with 1, 2, 4 and 8 processes under the same limited load, in turn: what a request costs on the server and on
 * the database. The machine need not have the cores: CPU time is counted, and no rate is sought. Beside it as many bare
 * servers that share the load: what a request costs more because each process has fewer of them.
 */
export const cores = Effect.fnUntraced(function*(postgres: Postgres, options: Options) {
  const runs: Array<Run> = []
  const rate = options.rate > 0 ? options.rate : 2_000
  for (let round = 1; round <= options.rounds; round++) {
    for (const count of counts) {
      const bare = yield* Effect.scoped(measuredBare(postgres, count, rate, options))
      const run = yield* Effect.scoped(measured(postgres, count, rate, options, bare))
      yield* Console.log(run.map(line).join("\n"))
      runs.push(...run)
    }
  }
  yield* Console.log(`\n${table(runs, rate)}`)
})

/** What a request of an operation cost the bare servers, in microseconds of CPU, and how many were not answered right. */
interface Bare {
  readonly used: number
  readonly failures: number
}

const measuredBare = Effect.fnUntraced(function*(postgres: Postgres, count: number, rate: number, options: Options) {
  const { population, warmUp } = loadOf(count, rate, options)
  const url = yield* postgres.database("bench")
  yield* bareBatched.prepare(url, population)
  const servers = yield* Effect.replicateEffect(Server.start(bareBatched, url, options), count)
  const load = new TokenLoad(population)
  const { offer, warm } = generator(servers.map(({ port }) => port), rate, options)
  const used = () => servers.reduce((sum, { pid }) => sum + Processes.cpuSeconds(pid), 0)
  const results = new Map<Operation, Bare>()
  yield* warm(load.exchange, grants)
  for (const operation of bareBatched.answers.filter((name) => name.includes(options.only))) {
    const source = Measure.sources(load)[operation]
    yield* warm(source, warmUp)
    const before = used()
    const { failures, sent } = yield* offer(source)
    results.set(operation, { used: (used() - before) / sent * 1e6, failures })
  }
  return results
})

const measured = Effect.fnUntraced(function*(
  postgres: Postgres,
  count: number,
  rate: number,
  options: Options,
  bare: ReadonlyMap<Operation, Bare>
) {
  const { population, warmUp } = loadOf(count, rate, options)
  const url = yield* postgres.database("bench")
  yield* slotkey.prepare(url, population)
  const operatorPort = yield* Processes.freePort
  const server = yield* Server.start(withProcesses(count, operatorPort), url, options)
  const operator = `http://127.0.0.1:${operatorPort}`
  yield* allServe(operator, count)
  const load = new TokenLoad(population)
  const { offer, warm } = generator([server.port], rate, options)
  const results: Array<Run> = []
  yield* warm(load.exchange, grants)
  for (const operation of operations.filter((name) => name.includes(options.only))) {
    const source = Measure.sources(load)[operation]
    yield* warm(source, warmUp)
    const before = yield* figures(server.pid, postgres.pid, operator)
    const offered = yield* offer(source)
    const after = yield* figures(server.pid, postgres.pid, operator)
    const each = (used: number) => used / offered.sent * 1e6
    const parts = [...after.children].map(([pid, used]) => used - (before.children.get(pid) ?? 0))
    const fair = parts.reduce((sum, used) => sum + used, 0) / parts.length
    results.push({
      processes: count,
      operation,
      rate: offered.rate,
      server: each(after.server - before.server),
      primary: count === 1 ? 0 : each(after.primary - before.primary),
      database: each(after.database - before.database),
      bare: bare.get(operation)?.used ?? NaN,
      batch: (after.messages - before.messages) / (after.batches - before.batches),
      share: count === 1 ? [1, 1] : [Math.max(...parts) / fair, Math.min(...parts) / fair],
      failures: offered.failures + (bare.get(operation)?.failures ?? 0)
    })
  }
  return results
})

/** Enough for each operation, of which every process is to be as warm as one alone: so requests are counted, not seconds. */
const loadOf = (count: number, rate: number, options: Options) => {
  const warmUp = count * options.warmUp * 2_500
  const codes = grants + warmUp + Math.ceil(options.seconds * rate * 1.5)
  return { warmUp, population: { clients: options.clients, users: 1000, codes } }
}

/** The load of the servers at these ports, which share its rate and its connections. */
const generator = (ports: ReadonlyArray<number>, rate: number, { connections, seconds }: Options) => ({
  warm: (source: Source, requests: number) =>
    Effect.promise(() => closedLoop({ ports, connections, seconds: 600, source: limited(source, requests) })),
  offer: Effect.fnUntraced(function*(source: Source) {
    const goesOn = (_: number, elapsed: number) => elapsed < seconds * 1000
    const part = { connections: connections / ports.length, rate: rate / ports.length, source, goesOn }
    const offered = yield* Effect.promise(() => Promise.all(ports.map((port) => openLoop({ port, ...part }))))
    const sum = (of: (one: Offered) => number) => offered.reduce((total, one) => total + of(one), 0)
    return {
      sent: sum(({ sent }) => sent),
      rate: sum(({ seconds, sent }) => sent / seconds),
      failures: sum((one) => failed(one) + one.refused)
    }
  })
})

const limited = (source: Source, count: number): Source => {
  let left = count
  return () => left-- > 0 ? source() : undefined
}

/** The server as one of several processes; the generator is its only peer. */
const withProcesses = (count: number, operatorPort: number): System => ({
  ...slotkey,
  process: (...where) => {
    const { args, env } = slotkey.process(...where)
    const own = { SERVER_PROCESSES: String(count), OPERATOR_PORT: String(operatorPort), CODE_LIFETIME: "10 minutes" }
    return { args, env: { ...env, ...own } }
  }
})

const allServe = Effect.fnUntraced(function*(operator: string, count: number) {
  const expected = count === 1 ? `"status":"ok"` : `${count} of ${count} server processes`
  for (let tries = 0; tries < 1200; tries++) {
    const text = yield* Effect.promise(() => fetch(`${operator}/readyz`).then((answer) => answer.text(), () => ""))
    if (text.includes(expected)) return
    yield* Effect.sleep("50 millis")
  }
  return yield* new Processes.ProcessError({ message: "Not all server processes started" })
})

const figures = Effect.fnUntraced(function*(server: number, database: number, operator: string) {
  const text = yield* Effect.promise(() => fetch(`${operator}/metrics`).then((answer) => answer.text()))
  const total = (series: string) =>
    [...text.matchAll(new RegExp(`^slotkey_mailbox_batch_size_${series}(?:\\{.*\\})? (\\S+)$`, "gm"))]
      .reduce((sum, [, value]) => sum + Number(value), 0)
  const children = new Map(Processes.childrenOf(server).map((pid) => [pid, Processes.cpuSeconds(pid)]))
  const all = Processes.cpuSeconds(server)
  return {
    server: all,
    primary: all - [...children.values()].reduce((sum, used) => sum + used, 0),
    children,
    database: Processes.cpuSeconds(database),
    messages: total("sum"),
    batches: total("count")
  }
})

const line = (run: Run): string =>
  `${run.processes} processes, ${run.operation}: ${Math.round(run.rate)}/s, server ${
    run.server.toFixed(0)
  } µs of which ` +
  `primary ${run.primary.toFixed(1)}, database ${run.database.toFixed(0)} µs, batches of ${run.batch.toFixed(2)}, ` +
  `${Number.isNaN(run.bare) ? "" : `bare ${run.bare.toFixed(0)} µs, `}shares ${
    run.share.map((part) => part.toFixed(2)).join(" to ")
  }, ${run.failures} failed`

const table = (runs: ReadonlyArray<Run>, rate: number): string => {
  const of = (operation: Operation, processes: number, field: "bare" | "batch" | "database" | "primary" | "server") =>
    median(runs.filter((run) => run.operation === operation && run.processes === processes).map((run) => run[field]))
  const measuredOperations = operations.filter((name) => runs.some(({ operation }) => operation === name))
  const rows = measuredOperations.flatMap((operation) =>
    counts.map((count) => {
      const ratio = (field: "bare" | "database" | "server") => of(operation, count, field) / of(operation, 1, field)
      return `| ${operation} | ${count} | ${of(operation, count, "server").toFixed(0)} µs | ${
        ratio("server").toFixed(2)
      } ` +
        `| ${of(operation, count, "primary").toFixed(1)} µs | ${of(operation, count, "database").toFixed(0)} µs ` +
        `| ${ratio("database").toFixed(2)} | ${of(operation, count, "batch").toFixed(2)} ` +
        (bareBatched.answers.includes(operation)
          ? `| ${of(operation, count, "bare").toFixed(0)} µs | ${ratio("bare").toFixed(2)} |`
          : "| | |")
    })
  )
  return [
    `Medians, ${rate} requests a second:`,
    "",
    "| operation | processes | server | ratio | of it the primary | database | ratio | batch | bare servers | ratio |",
    "|---|---|---|---|---|---|---|---|---|---|",
    ...rows
  ].join("\n")
}
