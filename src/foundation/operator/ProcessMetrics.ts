import { Effect, Layer, Metric } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"
import packageJson from "../../../package.json" with { type: "json" }
import { register } from "./Series.ts"

/** The memory and processor time of a process, read when its metrics are asked for. */
export const ProcessMetrics: Layer.Layer<never> = Layer.effectDiscard(Effect.gen(function*() {
  const delay = yield* Effect.acquireRelease(
    Effect.sync(() => new EventLoopDelay()),
    (delay) => Effect.sync(() => delay.stop())
  )
  yield* register(eventLoopDelay, () => delay.take())
  yield* register(residentMemory, () => ({ value: process.memoryUsage.rss() }))
  yield* register(cpu, () => {
    const { system, user } = process.cpuUsage()
    return { count: (system + user) / 1e6, incremental: true }
  })
  yield* register(startTime, () => ({ value: performance.timeOrigin / 1000 }))
  yield* register(info, () => ({ value: 1 }))
}))

/** Delay of the event loop, measured by a timer outside of it. */
class EventLoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution })
  #count = 0
  #sum = 0

  constructor() {
    this.#histogram.enable()
  }

  /** Quantiles since the last call, with the count and the sum since the start. */
  take(): Metric.SummaryState {
    const histogram = this.#histogram
    const { count } = histogram
    // Node measures from one firing of its timer to the next.
    const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolution / 1000)
    const at = (quantile: number) => count === 0 ? undefined : seconds(histogram.percentile(quantile * 100))
    const taken = quantiles.map((quantile) => [quantile, at(quantile)] as const)
    const [min, max] = count === 0 ? [0, 0] : [seconds(histogram.min), seconds(histogram.max)]
    this.#count += count
    this.#sum += count === 0 ? 0 : count * seconds(histogram.mean)
    histogram.reset()
    return { quantiles: taken, count: this.#count, sum: this.#sum, min, max }
  }

  stop(): void {
    this.#histogram.disable()
  }
}

/** Milliseconds between two measurements. */
const resolution = 20

const quantiles = [0.5, 0.9, 0.99, 1]

const eventLoopDelay = Metric.summary("nodejs_eventloop_delay_seconds", {
  description: "How late the event loop was since the last scrape",
  quantiles,
  // Same window as the histogram's above.
  maxAge: "1 minute",
  maxSize: 1
})
const residentMemory = Metric.gauge("process_resident_memory_bytes", {
  description: "Memory of the process that is in RAM"
})
const cpu = Metric.counter("process_cpu_seconds_total", {
  description: "CPU time that the process has used, in user and kernel mode",
  incremental: true
})
const startTime = Metric.gauge("process_start_time_seconds", {
  description: "Time at which the process started, in seconds since 1970"
})
const info = Metric.gauge("slotkey_info", {
  description: "1, with the version of the program",
  attributes: { version: packageJson.version }
})
