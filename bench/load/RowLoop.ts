import { Client } from "pg"
import { percentile } from "./Load.ts"

/** Rate of a bare statement, and its percentiles in milliseconds. */
export interface Rows {
  readonly rate: number
  readonly p50: number
  readonly p99: number
}

/** A closed loop of one prepared statement, whose only parameter is the id of a row, over connections of its own. */
export const rowLoop = async (options: {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  readonly statement: string
  readonly id: () => string
}): Promise<Rows> => {
  const clients = Array.from({ length: options.connections }, () => new Client({ connectionString: options.url }))
  await Promise.all(clients.map((client) => client.connect()))
  const latencies: Array<number> = []
  const started = performance.now()
  const deadline = started + options.seconds * 1000
  await Promise.all(clients.map(async (client) => {
    for (let sent = performance.now(); sent < deadline; sent = performance.now()) {
      const { rowCount } = await client.query({ name: "row", text: options.statement, values: [options.id()] })
      if (rowCount !== 1) throw new Error(`${rowCount} rows of: ${options.statement}`)
      latencies.push(performance.now() - sent)
    }
  }))
  const seconds = (performance.now() - started) / 1000
  await Promise.all(clients.map((client) => client.end()))
  const sorted = Float64Array.from(latencies).sort()
  return { rate: sorted.length / seconds, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}
