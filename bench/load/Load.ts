import { setTimeout as sleep } from "node:timers/promises"
import { type Answer, type Broken, Connection } from "./Connection.ts"

/** A request, and what tells a right answer to it. */
export interface Request {
  readonly bytes: string
  /** Fault of the answer; `undefined` when it is right. */
  readonly faultOf: (answer: Answer) => string | undefined
}

/** Next request, or `undefined` when there are no more. */
export type Source = () => Request | undefined

export interface Measured {
  /** Right answers only. */
  readonly answers: number
  readonly seconds: number
  readonly rate: number
  /** Milliseconds from the first byte sent to the last byte received. */
  readonly p50: number
  readonly p99: number
  readonly worst: number
  readonly failures: ReadonlyMap<string, number>
}

/**
 * A closed loop: each connection sends its next request when the last one is answered, until the time is over or the
 * source is dry. Each answer is checked.
 */
export const closedLoop = async (options: {
  /** Servers on this machine; the connections are shared out among them. */
  readonly ports: ReadonlyArray<number>
  readonly connections: number
  readonly seconds: number
  readonly source: Source
}): Promise<Measured> => {
  const latencies: Array<number> = []
  const failures = new Map<string, number>()
  const started = performance.now()
  const deadline = started + options.seconds * 1000
  let ended = started

  const run = (connection: Connection) =>
    new Promise<void>((resolve) => {
      const next = (): void => {
        const sent = performance.now()
        const request = sent < deadline ? options.source() : undefined
        if (request === undefined) return resolve()
        connection.send(request.bytes, (answer) => {
          const received = performance.now()
          const problem = "broken" in answer ? answer.broken : request.faultOf(answer)
          if (problem === undefined) {
            latencies.push(received - sent)
            ended = received
            return next()
          }
          failures.set(problem, (failures.get(problem) ?? 0) + 1)
          // A server that refuses everything at once must not turn the loop into a storm of failures.
          if ("broken" in answer) sleep(10).then(next, next)
          else next()
        })
      }
      next()
    })

  const connections = Array.from(
    { length: options.connections },
    (_, i) => new Connection(options.ports[i % options.ports.length] ?? 0)
  )
  await Promise.all(connections.map(run))
  for (const connection of connections) connection.close()

  const seconds = (ended - started) / 1000
  const sorted = Float64Array.from(latencies).sort()
  return {
    answers: sorted.length,
    seconds,
    rate: sorted.length === 0 ? 0 : sorted.length / seconds,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    worst: sorted.at(-1) ?? 0,
    failures
  }
}

/** A source that is dry after so many requests. */
export const limited = (source: Source, count: number): Source => {
  let left = count
  return () => left-- > 0 ? source() : undefined
}

export const percentile = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

export type { Answer, Broken }
