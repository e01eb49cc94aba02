import { Console, Effect } from "effect"
import { TokenLoad } from "../load/TokenLoad.ts"
import * as Measure from "../Measure.ts"
import { type Operation, operations } from "../Operations.ts"
import type { Options } from "../Options.ts"
import type { Postgres } from "../Postgres.ts"
import * as Processes from "../Processes.ts"
import { median } from "../Report.ts"
import * as Server from "../Server.ts"
import { slotkey } from "../systems/Slotkey.ts"
import { bareBatched } from "../systems/Yardstick.ts"
import * as CoresBeside from "./CoresBeside.ts"
import { generator, grants, loadOf, slotkeyWith } from "./CoresLoad.ts"

const counts = [1, 2, 4, 8]

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
  /** As `server`, of as many servers behind nginx, and nginx's own part. */
  readonly behindNginx: number
  readonly nginx: number
  /** As `server`, of as many bare batched servers; not a number for an operation that they lack. */
  readonly bare: number
  /** The most and the least that one process has used of the CPU, as parts of an equal share. */
  readonly share: readonly [number, number]
  readonly failures: number
}

/**
 * One server with 1, 2, 4 and 8 processes under the same limited load, in turn: what a request costs on the server and
 * on the database. The machine need not have the cores: CPU time is counted, and no rate is sought. Beside it as many
 * servers behind nginx, each on a port of its own, and as many bare servers that share the load: what a request costs
 * more because each process has fewer of them.
 */
export const cores = Effect.fnUntraced(function*(postgres: Postgres, options: Options) {
  const runs: Array<Run> = []
  const rate = options.rate > 0 ? options.rate : 2_000
  for (let round = 1; round <= options.rounds; round++) {
    for (const count of counts) {
      const bare = yield* Effect.scoped(CoresBeside.bare(postgres, count, rate, options))
      const behindNginx = yield* Effect.scoped(CoresBeside.behindNginx(postgres, count, rate, options))
      const run = yield* Effect.scoped(measured(postgres, count, rate, options, { bare, behindNginx }))
      yield* Console.log(run.map(line).join("\n"))
      runs.push(...run)
    }
  }
  yield* Console.log(`\n${table(runs, rate)}`)
})

const measured = Effect.fnUntraced(function*(
  postgres: Postgres,
  count: number,
  rate: number,
  options: Options,
  beside: Readonly<Record<"bare" | "behindNginx", CoresBeside.Costs>>
) {
  const { population, warmUp } = loadOf(count, rate, options)
  const url = yield* postgres.database("bench")
  yield* slotkey.prepare(url, population)
  const operatorPort = yield* Processes.freePort
  const settings = { SERVER_PROCESSES: String(count), OPERATOR_PORT: String(operatorPort) }
  const server = yield* Server.start(slotkeyWith(settings), url, options)
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
    const [bare, behindNginx] = [beside.bare.get(operation), beside.behindNginx.get(operation)]
    results.push({
      processes: count,
      operation,
      rate: offered.rate,
      server: each(after.server - before.server),
      primary: count === 1 ? 0 : each(after.primary - before.primary),
      database: each(after.database - before.database),
      behindNginx: behindNginx?.used ?? NaN,
      nginx: behindNginx?.proxy ?? NaN,
      bare: bare?.used ?? NaN,
      batch: (after.messages - before.messages) / (after.batches - before.batches),
      share: count === 1 ? [1, 1] : [Math.max(...parts) / fair, Math.min(...parts) / fair],
      failures: offered.failures + (behindNginx?.failures ?? 0) + (bare?.failures ?? 0)
    })
  }
  return results
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
  `behind nginx ${run.behindNginx.toFixed(0)} µs of which nginx ${run.nginx.toFixed(0)}, ` +
  `${Number.isNaN(run.bare) ? "" : `bare ${run.bare.toFixed(0)} µs, `}shares ${
    run.share.map((part) => part.toFixed(2)).join(" to ")
  }, ${run.failures} failed`

const table = (runs: ReadonlyArray<Run>, rate: number): string => {
  const measuredOperations = operations.filter((name) => runs.some(({ operation }) => operation === name))
  const rows = measuredOperations.flatMap((operation) =>
    counts.map((processes) => {
      const of = (figure: Figure, count = processes) =>
        median(runs.filter((run) => run.operation === operation && run.processes === count).map((run) => run[figure]))
      const micros = (figure: Figure) => `${of(figure).toFixed(0)} µs`
      const ratio = (figure: Figure, to = figure) => (of(figure) / of(to, 1)).toFixed(2)
      const isBare = bareBatched.answers.includes(operation)
      return row(
        operation,
        String(processes),
        micros("server"),
        ratio("server"),
        micros("primary"),
        micros("database"),
        ratio("database"),
        of("batch").toFixed(2),
        micros("behindNginx"),
        // One process needs no proxy.
        ratio("behindNginx", "server"),
        micros("nginx"),
        isBare ? micros("bare") : "",
        isBare ? ratio("bare") : ""
      )
    })
  )
  const head = ["operation", "processes", "server", "ratio", "of it the primary", "database", "ratio", "batch"]
  const headBeside = ["behind nginx", "ratio", "of it nginx", "bare servers", "ratio"]
  return [
    `Medians, ${rate} requests a second:`,
    "",
    row(...head, ...headBeside),
    row(...[...head, ...headBeside].map(() => "---")),
    ...rows
  ].join("\n")
}

type Figure = "bare" | "batch" | "behindNginx" | "database" | "nginx" | "primary" | "server"

const row = (...cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`
