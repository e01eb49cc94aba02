import type { Result } from "./Measure.ts"
import { operations } from "./Operations.ts"

/** Line for each operation and system: medians over the rounds, and the rate beside the reference's. */
export const table = (results: ReadonlyArray<Result>, reference: string): string => {
  const header = [
    "operation",
    "system",
    "/s",
    "ratio",
    "p50 ms",
    "p99 ms",
    "failed",
    "server µs",
    "database µs",
    "MB"
  ]
  const systems = [...new Set(results.map((result) => result.system))]
  const lines = operations.flatMap((operation) =>
    systems.flatMap((system) => {
      const of = (name: string) => results.filter((each) => each.system === name && each.operation === operation)
      const runs = of(system)
      if (runs.length === 0) return []
      const rate = median(runs.map((run) => run.rate))
      const referenceRate = median(of(reference).map((run) => run.rate))
      return [[
        operation,
        system,
        Math.round(rate).toLocaleString("en"),
        referenceRate > 0 ? (rate / referenceRate).toFixed(2) : "",
        median(runs.map((run) => run.p50)).toFixed(1),
        median(runs.map((run) => run.p99)).toFixed(1),
        String(runs.reduce((sum, run) => sum + failed(run), 0)),
        median(runs.map((run) => run.cpu.server / run.answers * 1e6)).toFixed(0),
        median(runs.map((run) => run.cpu.database / run.answers * 1e6)).toFixed(0),
        median(runs.map((run) => run.memory)).toFixed(0)
      ]]
    })
  )
  return markdown([header, ...lines])
}

/** One run in one line. */
export const line = (result: Result): string =>
  `${result.system}, ${result.operation}: ${Math.round(result.rate).toLocaleString("en")}/s, ` +
  `p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms, ${failed(result)} failed; CPU seconds: ` +
  `server ${result.cpu.server.toFixed(2)}, database ${result.cpu.database.toFixed(2)}, ` +
  `generator ${result.cpu.generator.toFixed(2)} of ${result.seconds.toFixed(2)}; ${result.memory.toFixed(0)} MB` +
  [...result.failures].map(([problem, count]) => `\n  ${count} x ${problem}`).join("")

export const failed = (result: Pick<Result, "failures">): number =>
  [...result.failures.values()].reduce((sum, count) => sum + count, 0)

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

const markdown = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const cells = (row: ReadonlyArray<string>) =>
    `| ${row.map((cell, i) => i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)).join(" | ")} |`
  const rule = `|${widths.map((width, i) => "-".repeat(width + 1) + (i < 2 ? "-" : ":")).join("|")}|`
  return rows.flatMap((row, i) => i === 0 ? [cells(row), rule] : [cells(row)]).join("\n")
}
