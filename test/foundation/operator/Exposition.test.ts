import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Metric } from "effect"
import { ProcessMetrics } from "../../../src/foundation/operator/ProcessMetrics.ts"
import { samples, scrape, total } from "../../support/Metrics.ts"
import { areAvailable, openMetricsComplaints, promtoolComplaints } from "../../support/MetricsTools.ts"

const text = "text/plain; version=0.0.4; charset=utf-8"
const openMetrics = "application/openmetrics-text; version=1.0.0; charset=utf-8"

layer(ProcessMetrics.pipe(Layer.provideMerge(Layer.succeed(Metric.MetricRegistry, new Map()))))("the metrics", (it) => {
  describe("are in the format that the scraper prefers:", () => {
    it.effect.each([
      { accept: undefined, type: text },
      { accept: "*/*", type: text },
      { accept: "text/html", type: text },
      { accept: "text/plain;version=0.0.4", type: text },
      { accept: "application/openmetrics-text", type: openMetrics },
      { accept: "text/plain;q=0.3, application/openmetrics-text;version=1.0.0;q=0.5, */*;q=0.1", type: openMetrics },
      { accept: "application/openmetrics-text;q=0.2, text/plain;q=0.3", type: text },
      { accept: "application/openmetrics-text;q=0", type: text }
    ])("$accept", ({ accept, type }) =>
      Effect.gen(function*() {
        const answer = yield* scrape(accept)
        assert.strictEqual(answer.type, type)
        assert.strictEqual(answer.text.endsWith("# EOF\n"), type === openMetrics)
      }))
  })

  it.effect("name a counter and its unit as each format wants it", () =>
    Effect.gen(function*() {
      const { text: plain } = yield* scrape()
      assert.include(plain, "# TYPE process_cpu_seconds_total counter\n")
      const { text: open } = yield* scrape(openMetrics)
      assert.include(
        open,
        "# UNIT process_cpu_seconds seconds\n# TYPE process_cpu_seconds counter\nprocess_cpu_seconds_total "
      )
      assert.include(open, "# UNIT process_resident_memory_bytes bytes\n")
    }))

  it.effect("tell of the process: its memory, its CPU time, its start, its version, how late its event loop is", () =>
    Effect.gen(function*() {
      assert.isAbove(yield* total("process_resident_memory_bytes"), 10_000_000)
      assert.isAbove(yield* total("process_cpu_seconds_total"), 0.01)
      const start = yield* total("process_start_time_seconds")
      assert.closeTo(start, (performance.timeOrigin + performance.now()) / 1000 - process.uptime(), 5)
      assert.strictEqual(yield* total("slotkey_info"), 1)
      yield* samples
      const blocked = performance.now() + 300
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 50)))
      while (performance.now() < blocked);
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 50)))
      const after = yield* samples
      const at = (name: string, quantile?: string) =>
        after.find((sample) => sample.name === name && sample.labels["quantile"] === quantile)?.value ??
          assert.fail(name)
      assert.isAbove(at("nodejs_eventloop_delay_seconds", "1"), 0.1)
      assert.isBelow(at("nodejs_eventloop_delay_seconds", "0.5"), at("nodejs_eventloop_delay_seconds", "1"))
      assert.isAbove(at("nodejs_eventloop_delay_seconds_sum"), 0.1)
    }))

  it.effect.skipIf(!areAvailable)(
    "are what promtool and the reference parser of OpenMetrics take",
    () =>
      Effect.gen(function*() {
        assert.strictEqual(promtoolComplaints((yield* scrape()).text), "")
        assert.strictEqual(openMetricsComplaints((yield* scrape(openMetrics)).text), "")
        assert.include(promtoolComplaints("metric_without_help 1\n"), "no help text")
        assert.include(openMetricsComplaints("# TYPE a counter\na 1\n"), "Error")
      })
  )
})
