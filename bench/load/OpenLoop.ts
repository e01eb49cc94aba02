import { setTimeout as sleep } from "node:timers/promises"
import { Connection } from "./Connection.ts"
import { percentile, type Source } from "./Load.ts"

export interface Offered {
  readonly seconds: number
  /** Requests; fewer than wanted when no connection was free. */
  readonly sent: number
  /** Right answers, and the time that 99 of 100 took at most, in milliseconds. */
  readonly served: number
  readonly servedP99: number
  readonly servedWorst: number
  /** Same for answers with status 503 and `Retry-After`. */
  readonly refused: number
  readonly refusedP99: number
  readonly failures: ReadonlyMap<string, number>
}

/** An open loop: requests come at a fixed rate, however the server is doing. */
export const openLoop = async (options: {
  readonly port: number
  readonly connections: number
  readonly rate: number
  /** Tells if there is more to send, after so many requests and milliseconds. */
  readonly goesOn: (sent: number, elapsed: number) => boolean
  readonly source: Source
}): Promise<Offered> => {
  const all = Array.from({ length: options.connections }, () => new Connection(options.port))
  for (const connection of all) await opened(connection)
  const idle = [...all]
  const served: Array<number> = []
  const refused: Array<number> = []
  const failures = new Map<string, number>()
  const fail = (problem: string) => failures.set(problem, (failures.get(problem) ?? 0) + 1)
  const started = performance.now()
  let sent = 0
  let due = 0

  const send = (connection: Connection): void => {
    const request = options.source()
    if (request === undefined) return
    const at = performance.now()
    sent++
    connection.send(request.bytes, (answer) => {
      const took = performance.now() - at
      idle.push(connection)
      if ("broken" in answer) return fail(answer.broken)
      if (answer.status === 503 && /\r\nretry-after: *\d+\r\n/i.test(answer.head)) return refused.push(took)
      const problem = request.faultOf(answer)
      if (problem === undefined) served.push(took)
      else fail(problem)
    })
  }

  for (let elapsed = 0; options.goesOn(sent, elapsed); elapsed = performance.now() - started) {
    const wanted = Math.floor(elapsed / 1000 * options.rate)
    for (; due < wanted; due++) {
      const connection = idle.pop()
      if (connection === undefined) {
        due = wanted
        break
      }
      send(connection)
    }
    await sleep(1)
  }
  const seconds = (performance.now() - started) / 1000
  // Requests under way are still answered.
  for (let waited = 0; idle.length < all.length && waited < 10_000; waited += 10) await sleep(10)
  for (const connection of all) connection.close()

  const p99 = (latencies: ReadonlyArray<number>) => percentile(Float64Array.from(latencies).sort(), 0.99)
  return {
    seconds,
    sent,
    served: served.length,
    servedP99: p99(served),
    servedWorst: served.reduce((worst, took) => Math.max(worst, took), 0),
    refused: refused.length,
    refusedP99: p99(refused),
    failures
  }
}

// Connections are opened one at a time and before the load: a server accepts one in each turn of its event loop.
const opened = (connection: Connection): Promise<void> =>
  new Promise((resolve) =>
    connection.send("GET /.well-known/jwks.json HTTP/1.1\r\nHost: localhost\r\n\r\n", () => resolve())
  )
