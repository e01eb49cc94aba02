// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as Mailbox from "../../../src/foundation/database/Mailbox.ts"
import { recordedSpans } from "../../support/RecordedSpans.ts"

describe("A mailbox of a traced process", () => {
  it.effect("has a batch in the trace of its first sender, and links to and from every sender", () => {
    const { layer, spans } = recordedSpans()
    const named = (name: string) => spans.filter((span) => span.name === name)
    return Effect.gen(function*() {
      const ask = yield* Mailbox.make({
        name: "Echo",
        handle: (batch: Mailbox.Batch<number>) => Effect.withSpan(Effect.succeed(batch), "statement")
      })
      const request = (n: number) => Effect.withSpan(ask(n), "request", { root: true })
      assert.deepStrictEqual(yield* Effect.forEach([1, 2, 3], request, { concurrency: "unbounded" }), [1, 2, 3])

      const [batch, another] = named("Echo batch")
      assert.isUndefined(another, "one batch for all three")
      const senders = named("Echo")
      const parentOf = (span: (typeof spans)[number] | undefined) =>
        Option.getOrUndefined(span?.parent ?? Option.none())
      assert.deepStrictEqual(senders.map(parentOf), named("request"))
      assert.strictEqual(parentOf(batch), senders[0])
      assert.strictEqual(parentOf(named("statement")[0]), batch)
      assert.deepStrictEqual(batch?.links.map(({ span }) => span), senders)
      for (const { links } of senders) {
        assert.deepStrictEqual(links, [{ span: batch ?? assert.fail("no batch"), attributes: {} }])
      }
    }).pipe(Effect.provide(Layer.merge(layer, AppConfig.layerTest())))
  })

  it.effect("has the batch in the trace of the first sender that is sampled", () => {
    const { layer, spans } = recordedSpans()
    return Effect.gen(function*() {
      const ask = yield* Mailbox.make({ name: "Echo", handle: (batch: Mailbox.Batch<number>) => Effect.succeed(batch) })
      yield* Effect.forEach(
        [1, 2],
        (n) => Effect.withSpan(ask(n), "request", { root: true, sampled: n === 2 }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(spans.filter(({ name }) => name === "Echo batch").map(({ sampled }) => sampled), [true])
    }).pipe(Effect.provide(Layer.merge(layer, AppConfig.layerTest())))
  })
})
