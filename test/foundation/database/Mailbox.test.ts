import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import * as Mailbox from "../../../src/foundation/database/Mailbox.ts"

describe("A mailbox", () => {
  it.effect("hands the messages that wait over together, and each sender gets the answer to its own", () =>
    Effect.gen(function*() {
      const batches: Array<number> = []
      const ask = yield* Mailbox.make({
        size: 10,
        handle: (batch: Mailbox.Batch<number>) =>
          Effect.sync(() => {
            batches.push(batch.length)
            return batch.map((n) => n * 2)
          })
      })
      const numbers = Array.from({ length: 25 }, (_, n) => n)
      assert.deepStrictEqual(
        yield* Effect.forEach(numbers, ask, { concurrency: "unbounded" }),
        numbers.map((n) => n * 2)
      )
      assert.isBelow(batches.length, 5)
      assert.isAtMost(Math.max(...batches), 10)
    }))

  it.effect("refuses at once when it is full, and takes messages again when it is not", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const ask = yield* Mailbox.make({
        capacity: 5,
        size: 1,
        workers: 1,
        handle: (batch: Mailbox.Batch<number>) => Effect.as(Deferred.await(gate), batch)
      })
      const first = yield* Effect.forkChild(ask(0))
      yield* Effect.yieldNow
      const waiting = yield* Effect.forEach([1, 2, 3, 4, 5], (n) => Effect.forkChild(ask(n)))
      yield* Effect.yieldNow
      assert.strictEqual((yield* Effect.flip(ask(6)))._tag, "TemporarilyUnavailable")
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(
        [yield* Fiber.join(first), ...(yield* Effect.forEach(waiting, Fiber.join))],
        [0, 1, 2, 3, 4, 5]
      )
      assert.strictEqual(yield* ask(7), 7)
    }))

  it.effect("goes on after a batch that failed", () =>
    Effect.gen(function*() {
      const ask = yield* Mailbox.make({
        handle: (batch: Mailbox.Batch<string>) =>
          Effect.sync(() => {
            if (batch.includes("poison")) throw new Error("poisoned")
            return batch
          })
      })
      assert.isTrue(Exit.hasDies(yield* Effect.exit(ask("poison"))))
      assert.strictEqual(yield* ask("bread"), "bread")
    }))
})
