// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { FetchHttpClient, HttpMiddleware, HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { isTraced, parentOf, traceparent } from "../../../src/foundation/tracing/TraceContext.ts"
import * as Tracing from "../../../src/foundation/tracing/Tracing.ts"

/** Runs the effect in a process with these settings. */
const within = <A>(env: Readonly<Record<string, string>>, effect: Effect.Effect<A>) =>
  Effect.scoped(Effect.provide(effect, Layer.provide(Tracing.layer("test"), AppConfig.layerTest(env))))

const inSpan = Effect.withSpan(Effect.all({ isTraced, traceparent }), "a command", { root: true })

describe("A process", () => {
  it.effect("makes no spans without a collector", () =>
    Effect.gen(function*() {
      const made = yield* within({}, Effect.withSpan(Effect.currentSpan.pipe(Effect.orDie), "a command"))
      assert.isFalse(made.sampled)
      assert.deepStrictEqual(yield* within({}, inSpan), { isTraced: false, traceparent: Option.none() })
    }))

  it.effect.each(["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"])(
    "makes them with %s",
    (name) =>
      Effect.gen(function*() {
        const { isTraced, traceparent } = yield* within({
          [name]: "http://collector.test",
          OTEL_TRACES_SAMPLER: "always_off"
        }, inSpan)
        assert.isTrue(isTraced)
        assert.match(Option.getOrElse(traceparent, () => ""), /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
      })
  )

  it.effect("waits two seconds for a collector that does not answer when it stops", () =>
    Effect.gen(function*() {
      let calls = 0
      const silent = () => {
        calls++
        return new Promise<Response>(() => {})
      }
      const stopping = yield* within({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.test" }, inSpan).pipe(
        Effect.provideService(FetchHttpClient.Fetch, silent),
        Effect.forkChild
      )
      yield* TestClock.adjust("1 second")
      assert.isUndefined(stopping.pollUnsafe())
      assert.strictEqual(calls, 1, "the last spans are sent")
      yield* TestClock.adjust("1 second")
      assert.isDefined(stopping.pollUnsafe())
    }))

  it.effect("makes no spans of what machines ask every few seconds", () =>
    Effect.gen(function*() {
      const isLeftOut = yield* within(
        { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.test" },
        HttpMiddleware.TracerDisabledWhen
      )
      const left = ["/healthz", "/readyz", "/metrics", "/v2/me"].map((path) =>
        isLeftOut(HttpServerRequest.fromWeb(new Request(`https://slotkey.test${path}`)))
      )
      assert.deepStrictEqual(left, [true, true, true, false])
    }))

  it.effect.each([
    { name: "OTEL_EXPORTER_OTLP_ENDPOINT", value: "ftp://hunter2" },
    { name: "OTEL_EXPORTER_OTLP_ENDPOINT", value: "https://user:hunter2@collector.test" },
    { name: "OTEL_EXPORTER_OTLP_HEADERS", value: "hunter2" },
    { name: "OTEL_EXPORTER_OTLP_HEADERS", value: "key=%hunter2" },
    { name: "OTEL_EXPORTER_OTLP_HEADERS", value: "key=hun%0Ater2" },
    { name: "OTEL_EXPORTER_OTLP_PROTOCOL", value: "grpc" },
    { name: "OTEL_TRACES_SAMPLER", value: "jaeger_remote" },
    { name: "OTEL_TRACES_SAMPLER_ARG", value: "2" }
  ])("refuses to start with $name=$value", ({ name, value }) =>
    Effect.gen(function*() {
      const defect = yield* Effect.flip(Effect.sandbox(within({ [name]: value }, Effect.void)))
      assert.include(String(defect), `${name} must be`)
      assert.notInclude(String(defect), "hunter2")
    }))

  it("continues no trace that a caller names wrongly", () => {
    const right = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    assert.strictEqual(parentOf(right)?.spanId, "b7ad6b7169203331")
    for (const wrong of ["", "hunter2", right.replace("0af", "xyz"), `00-${"0".repeat(32)}-b7ad6b7169203331-01`]) {
      assert.isUndefined(parentOf(wrong))
    }
    assert.isUndefined(parentOf(null))
  })
})
