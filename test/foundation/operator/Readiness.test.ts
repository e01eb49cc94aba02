import { assert, describe, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Logger, Metric, References } from "effect"
import { TestClock } from "effect/testing"
import { Collectors } from "../../../src/foundation/operator/Collectors.ts"
import { OperatorRoutes } from "../../../src/foundation/operator/OperatorRoutes.ts"
import { type Finding, Readiness } from "../../../src/foundation/operator/Readiness.ts"
import { httpSender } from "../../support/HttpSender.ts"

const ok: Finding = { status: "ok", detail: "All is well." }
const degraded: Finding = { status: "degraded", detail: "It could be better." }
const failed: Finding = { status: "failed", detail: "It is gone." }

/** Log of a process, as its lines with the annotations of each. */
const Log = (lines: Array<string>) =>
  Logger.layer([
    Logger.make(({ fiber, message }) => {
      const annotations = fiber.getRef(References.CurrentLogAnnotations)
      lines.push(`${[message].flat().join(" ")} ${JSON.stringify(annotations)}`)
    })
  ])

const lines: Array<string> = []
const Process = Layer.fresh(Layer.merge(Readiness.layer, Collectors.layer)).pipe(
  Layer.provideMerge(Layer.mergeAll(Log(lines), Layer.succeed(Metric.MetricRegistry, new Map())))
)

describe("The operator's routes", () => {
  layer(Process)((it) => {
    it.effect("name each check with its cause, and refuse requests when one has failed", () =>
      Effect.gen(function*() {
        const readiness = yield* Readiness
        const send = yield* httpSender(OperatorRoutes)
        const read = Effect.flatMap(send("/readyz"), (response) =>
          Effect.map(Effect.promise(() => response.json()), (json) => [response.status, json]))
        const draining = { status: "ok", detail: "The process goes on." }

        yield* readiness.add({ name: "relay", probe: Effect.succeed(ok), otherwise: "failed" })
        assert.deepStrictEqual(yield* read, [200, { status: "ok", checks: { draining, relay: ok } }])
        yield* readiness.add({ name: "clock", probe: Effect.succeed(degraded), otherwise: "degraded" })
        assert.deepStrictEqual(yield* read, [200, {
          status: "degraded",
          checks: { draining, clock: degraded, relay: ok }
        }])
        yield* readiness.add({ name: "keys", probe: Effect.succeed(failed), otherwise: "failed" })
        assert.deepStrictEqual(yield* read, [503, {
          status: "failed",
          checks: { keys: failed, draining, clock: degraded, relay: ok }
        }])
        const { headers, status } = yield* send("/healthz")
        assert.deepStrictEqual([status, headers.get("cache-control")], [200, "no-store"])
      }))
  })

  layer(Process)((it) => {
    it.effect("answer for a check that hangs or breaks, and at /healthz meanwhile", () =>
      Effect.gen(function*() {
        const readiness = yield* Readiness
        const send = yield* httpSender(OperatorRoutes)
        yield* readiness.add({ name: "database", probe: Effect.never, otherwise: "failed" })
        yield* readiness.add({ name: "jobs", probe: Effect.never, otherwise: "degraded" })
        yield* readiness.add({ name: "keys", probe: Effect.die(new Error("broken")), otherwise: "failed" })
        const asked = yield* Effect.forkChild(send("/readyz"), { startImmediately: true })
        assert.strictEqual((yield* send("/healthz")).status, 200)
        yield* TestClock.adjust("3 seconds")
        const response = yield* Fiber.join(asked)
        const { checks } = yield* Effect.promise(() => response.json())
        assert.deepStrictEqual(
          [response.status, checks.database, checks.jobs, checks.keys],
          [
            503,
            { status: "failed", detail: "No answer within 3 s." },
            { status: "degraded", detail: "No answer within 3 s." },
            { status: "failed", detail: "broken" }
          ]
        )
      }))
  })

  layer(Process)((it) => {
    it.effect("write a change of a status to the log once, and the status to the metrics", () =>
      Effect.gen(function*() {
        const readiness = yield* Readiness
        const send = yield* httpSender(OperatorRoutes)
        let finding = ok
        yield* readiness.add({ name: "jobs", probe: Effect.sync(() => finding), otherwise: "degraded" })
        const shown = Effect.gen(function*() {
          yield* TestClock.adjust("1 second")
          const text = yield* Effect.flatMap(send("/metrics"), (response) => Effect.promise(() => response.text()))
          return text.split("\n").filter((line) => line.includes(`check="jobs"`) && line.endsWith(" 1"))
        })
        lines.length = 0
        assert.deepStrictEqual(yield* shown, [`slotkey_check{check="jobs",status="ok"} 1`])
        assert.deepStrictEqual(lines, [])
        finding = degraded
        yield* TestClock.adjust("1 second")
        yield* Effect.annotateLogs(readiness.report, { request_id: "that of a probe" })
        assert.deepStrictEqual(yield* shown, [`slotkey_check{check="jobs",status="degraded"} 1`])
        yield* shown
        finding = ok
        yield* shown
        assert.deepStrictEqual(lines, [
          `The check "jobs" is degraded: It could be better. {"check":"jobs","status":"degraded"}`,
          `The check "jobs" is ok: All is well. {"check":"jobs","status":"ok"}`
        ])
      }))
  })
})

describe("Readiness", () => {
  layer(Process)((it) => {
    it.effect("shares a round of probes among all who ask, and keeps what it found for a second", () =>
      Effect.gen(function*() {
        const readiness = yield* Readiness
        const answer = yield* Deferred.make<Finding>()
        let probes = 0
        const probe = Effect.suspend(() => {
          probes++
          return Deferred.await(answer)
        })
        yield* readiness.add({ name: "database", probe, otherwise: "failed" })
        const first = yield* Effect.forkChild(readiness.report, { startImmediately: true })
        const others = yield* Effect.forkChild(
          Effect.all(Array.from({ length: 50 }, () => readiness.report), { concurrency: "unbounded" }),
          { startImmediately: true }
        )
        // Others still wait for what the one who asked first has begun.
        yield* Fiber.interrupt(first)
        yield* Deferred.succeed(answer, ok)
        for (const { status } of yield* Fiber.join(others)) assert.strictEqual(status, "ok")
        yield* readiness.report
        assert.strictEqual(probes, 1)
        yield* TestClock.adjust("1 second")
        yield* readiness.report
        assert.strictEqual(probes, 2)
      }))
  })

  layer(Process)((it) => {
    it.effect("fails as soon as the process is about to stop", () =>
      Effect.gen(function*() {
        const readiness = yield* Readiness
        assert.strictEqual((yield* readiness.report).status, "ok")
        yield* readiness.startDraining
        const { checks, status } = yield* readiness.report
        assert.strictEqual(status, "failed")
        assert.deepStrictEqual(checks.draining, { status: "failed", detail: "The process is about to stop." })
      }))
  })

  layer(Process)((it) => {
    it.effect("is asked every 15 seconds, so that the log has a change in a process that nobody asks", () =>
      Effect.gen(function*() {
        const readiness = yield* Readiness
        lines.length = 0
        let finding = ok
        yield* readiness.add({ name: "clock", probe: Effect.sync(() => finding), otherwise: "degraded" })
        yield* Layer.build(Readiness.layerWatch)
        yield* TestClock.adjust("10 seconds")
        finding = degraded
        assert.deepStrictEqual(lines, [])
        yield* TestClock.adjust("15 seconds")
        assert.strictEqual(lines.length, 1)
      }))
  })
})
