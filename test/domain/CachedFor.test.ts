import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { cachedFor } from "../../src/domain/CachedFor.ts"

/** Counts how often it was run; fails when told to. */
const counter = (fails: (run: number) => boolean = () => false) => {
  let runs = 0
  return Effect.suspend(() => {
    runs++
    return fails(runs) ? Effect.fail(runs) : Effect.succeed(runs)
  })
}

describe("What is cached for a minute", () => {
  it.effect("is made anew after that", () =>
    Effect.gen(function*() {
      const read = yield* cachedFor(counter(), "1 minute")
      assert.deepStrictEqual([yield* read, yield* read], [1, 1])
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(yield* read, 1)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([yield* read, yield* read], [2, 2])
    }))

  it.effect("is kept no longer by a clock that is set back", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 0, 1, 12))
      const read = yield* cachedFor(counter(), "1 minute")
      assert.strictEqual(yield* read, 1)
      yield* TestClock.setTime(Date.UTC(2026, 0, 1, 11))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* read, 2)
    }))

  it.effect("is no failure", () =>
    Effect.gen(function*() {
      const read = yield* cachedFor(counter((run) => run < 3), "1 minute")
      assert.deepStrictEqual([yield* Effect.flip(read), yield* Effect.flip(read)], [1, 2])
      assert.deepStrictEqual([yield* read, yield* read], [3, 3])
    }))

  it.effect("is made once for all who ask meanwhile, however long it takes", () =>
    Effect.gen(function*() {
      const answer = yield* Deferred.make<void>()
      const runs = counter()
      const read = yield* cachedFor(Effect.andThen(Deferred.await(answer), runs), "1 minute")
      const first = yield* Effect.forkChild(read, { startImmediately: true })
      yield* TestClock.adjust("2 minutes")
      const second = yield* Effect.forkChild(read, { startImmediately: true })
      yield* Deferred.succeed(answer, undefined)
      assert.deepStrictEqual([yield* Fiber.join(first), yield* Fiber.join(second), yield* read], [1, 1, 1])
    }))
})
