// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Tracer } from "effect"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { sampled } from "../../../src/foundation/tracing/Sampler.ts"
import { recordedSpans } from "../../support/RecordedSpans.ts"

/** Answers which of the spans of the effect are sampled, by name. */
const sampledNames = Effect.fnUntraced(function*(effect: Effect.Effect<unknown>, env: Record<string, string> = {}) {
  const { layer, spans } = recordedSpans()
  const sampling = Layer.effect(
    Tracer.Tracer,
    Effect.gen(function*() {
      return sampled(yield* Tracer.Tracer, yield* AppConfig)
    })
  )
  yield* Effect.provide(effect, sampling.pipe(Layer.provide(layer), Layer.provide(AppConfig.layerTest(env))))
  return spans.filter(({ sampled }) => sampled).map(({ name }) => name)
})

const remote = (isSampled: boolean, traceId = "0af7651916cd43dd8448eb211c80319c") =>
  Tracer.externalSpan({ traceId, spanId: "b7ad6b7169203331", sampled: isSampled })

const request = (parent?: Tracer.AnySpan) =>
  Effect.void.pipe(Effect.withSpan("inner"), Effect.withSpan("request", { kind: "server", parent }))

describe("A trace", () => {
  it.effect("begins with a request, a job or a command, and holds all that they do", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* sampledNames(request()), ["request", "inner"])
      assert.deepStrictEqual(yield* sampledNames(Effect.withSpan(Effect.void, "job", { kind: "consumer" })), ["job"])
      assert.deepStrictEqual(yield* sampledNames(Effect.withSpan(Effect.void, "command", { root: true })), ["command"])
    }))

  it.effect("does not begin with what a process does on its own", () =>
    Effect.gen(function*() {
      const look = Effect.void.pipe(Effect.withSpan("statement", { kind: "client" }), Effect.withSpan("look"))
      assert.deepStrictEqual(yield* sampledNames(look), [])
    }))

  const decisions: ReadonlyArray<readonly [sampler: string, none: boolean, unsampled: boolean, sampled: boolean]> = [
    ["always_on", true, true, true],
    ["always_off", false, false, false],
    ["traceidratio", false, false, false],
    ["parentbased_always_on", true, false, true],
    ["parentbased_always_off", false, false, true],
    ["parentbased_traceidratio", false, false, true]
  ]

  it.effect.each(decisions)("is made as %s says, without a parent, with one that is not sampled, and one that is", (
    [sampler, none, unsampledParent, sampledParent]
  ) =>
    Effect.gen(function*() {
      const env = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: "0" }
      const isSampled = (parent?: Tracer.AnySpan) =>
        Effect.map(sampledNames(request(parent), env), (names) => names.length === 2)
      assert.strictEqual(yield* isSampled(), none)
      assert.strictEqual(yield* isSampled(remote(false)), unsampledParent)
      assert.strictEqual(yield* isSampled(remote(true)), sampledParent)
    }))

  it.effect("is the server's own where the traceparent of a request is ignored, and a job's is that of its change", () =>
    Effect.gen(function*() {
      const ignoring = { REQUEST_TRACEPARENT: "ignore" }
      const job = Effect.withSpan(Effect.void, "job", { kind: "consumer", parent: remote(false) })
      assert.deepStrictEqual(yield* sampledNames(request(remote(false)), ignoring), ["request", "inner"])
      assert.deepStrictEqual(yield* sampledNames(job, ignoring), [])
      const never = { ...ignoring, OTEL_TRACES_SAMPLER: "parentbased_always_off" }
      assert.deepStrictEqual(yield* sampledNames(request(remote(true)), never), [])
      // The id of a trace decides as well, and a caller may choose it.
      const few = { ...ignoring, OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "1e-12" }
      const chosen = "00000000000000010000000000000000"
      assert.deepStrictEqual(yield* sampledNames(request(remote(true, chosen)), few), [])
      assert.deepStrictEqual(
        yield* sampledNames(request(remote(true, chosen)), { ...few, REQUEST_TRACEPARENT: "follow" }),
        [
          "request",
          "inner"
        ]
      )
    }))

  it.effect("is one of so many, the same ones in every process", () =>
    Effect.gen(function*() {
      const env = { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25" }
      const count = (id: string) => Effect.map(sampledNames(request(remote(true, id)), env), ({ length }) => length)
      assert.strictEqual(yield* count("ffffffffffffffffffff3fffffffffff"), 2)
      assert.strictEqual(yield* count("00000000000000000000400000000000"), 0)
    }))
})
