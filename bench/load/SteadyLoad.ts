import { setTimeout as sleep } from "node:timers/promises"
import { Connection } from "./Connection.ts"
import { percentile, type Source } from "./Load.ts"

/** The percentiles of right answers, in milliseconds from the time at which a request was due. */
export interface Percentiles {
  readonly answers: number
  readonly p50: number
  readonly p99: number
  readonly p999: number
}

export interface Window {
  /** In the order of the sources. */
  readonly bySource: ReadonlyArray<Percentiles>
  readonly failures: ReadonlyMap<string, number>
}

/**
 * Requests at a fixed rate, of each source in turn, over a fixed number of connections. One that is due while all
 * connections wait for answers is sent as soon as one is free, and its time counts from when it was due: so a server
 * that stands still for a second is not asked less in that second. It goes on from one window to the next.
 */
export class SteadyLoad {
  readonly #sources: ReadonlyArray<Source>
  readonly #interval: number
  readonly #all: ReadonlyArray<Connection>
  readonly #idle: Array<Connection>
  #sent = 0
  #latencies: ReadonlyArray<Array<number>> = []
  #failures = new Map<string, number>()
  #nextDue = 0

  /** `rate` counts all sources together, in a second. */
  constructor(port: number, connections: number, rate: number, sources: ReadonlyArray<Source>) {
    this.#sources = sources
    this.#interval = 1000 / rate
    this.#all = Array.from({ length: connections }, () => new Connection(port))
    this.#idle = [...this.#all]
  }

  /** Answers that arrive after the end count in the next window. */
  async window(seconds: number): Promise<Window> {
    this.#latencies = this.#sources.map(() => [])
    this.#failures = new Map()
    const end = performance.now() + seconds * 1000
    if (this.#nextDue === 0) this.#nextDue = performance.now()
    for (let now = performance.now(); now < end; now = performance.now()) {
      this.#sendDue(now)
      await sleep(1)
    }
    return {
      bySource: this.#latencies.map((latencies) => {
        const sorted = Float64Array.from(latencies).sort()
        const [p50 = 0, p99 = 0, p999 = 0] = [0.5, 0.99, 0.999].map((share) => percentile(sorted, share))
        return { answers: sorted.length, p50, p99, p999 }
      }),
      failures: this.#failures
    }
  }

  close(): void {
    for (const connection of this.#all) connection.close()
  }

  #sendDue(now: number): void {
    while (this.#nextDue <= now) {
      const connection = this.#idle.pop()
      if (connection === undefined) return
      this.#send(connection, this.#sent++ % this.#sources.length, this.#nextDue)
      this.#nextDue += this.#interval
    }
  }

  #send(connection: Connection, source: number, due: number): void {
    const request = this.#sources[source]?.()
    if (request === undefined) {
      this.#fail("nothing left to send")
      return void this.#idle.push(connection)
    }
    connection.send(request.bytes, (answer) => {
      const received = performance.now()
      this.#idle.push(connection)
      const problem = "broken" in answer ? answer.broken : request.faultOf(answer)
      if (problem === undefined) this.#latencies[source]?.push(received - due)
      else this.#fail(problem)
      this.#sendDue(received)
    })
  }

  #fail(problem: string): void {
    this.#failures.set(problem, (this.#failures.get(problem) ?? 0) + 1)
  }
}
