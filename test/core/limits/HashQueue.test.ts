// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { CallerAddress } from "../../../src/core/limits/CallerAddress.ts"
import { capacity, HashQueue, timeLimit } from "../../../src/core/limits/HashQueue.ts"
import { eventually } from "../../support/Eventually.ts"

/** Hashes that end when the test says so, in the order in which they began. */
const hashes = () => {
  const began: Array<{ readonly name: string; readonly end: () => void }> = []
  let ended = 0
  return {
    names: () => began.map(({ name }) => name),
    /** Number of hashes that are running. */
    running: () => began.length - ended,
    make: (name: string) => () => new Promise<string>((resolve) => began.push({ name, end: () => resolve(name) })),
    /** Ends the oldest hash that is running, and waits until another has begun in its place. */
    endOne: (isLast = false) =>
      Effect.suspend(() => {
        const before = began.length
        began[ended++]?.end()
        return isLast ? Effect.void : TestClock.withLive(eventually(Effect.sync(() => began.length > before)))
      })
  }
}

const ask = Effect.fnUntraced(function*(address: string, hash: () => Promise<string>) {
  const queue = yield* HashQueue
  const fiber = yield* Effect.forkChild(
    Effect.exit(Effect.provideService(queue.run(hash), CallerAddress, address)),
    { startImmediately: true }
  )
  // The first hashes begin on another turn of the event loop.
  yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  return fiber
})

const refusedNow = (fibers: ReadonlyArray<Fiber.Fiber<Exit.Exit<string, unknown>>>) =>
  fibers.filter((fiber) => {
    const exit = fiber.pollUnsafe()
    return exit !== undefined && Exit.isSuccess(exit) && Exit.isFailure(exit.value)
  }).length

const addresses = Array.from({ length: 8 }, (_, i) => `192.0.2.${i}`)

// A queue for each test.
layer(Layer.empty)("The queue of slow hashes", (it) => {
  it.effect("serves the right user after one hash of each address, while 720 guesses from 8 addresses wait", () =>
    Effect.gen(function*() {
      const { endOne, make, names, running } = hashes()
      const guesses = yield* Effect.forEach(
        Array.from({ length: 720 }, (_, i) => addresses[i % 8] ?? ""),
        (address) => ask(address, make("guess"))
      )
      assert.strictEqual(running(), 2)
      // Two run, the queue is full, and the others learned so at once.
      assert.strictEqual(refusedNow(guesses), 720 - 2 - capacity)

      const right = yield* ask("198.51.100.1", make("right"))
      // It took the place of a guess.
      assert.strictEqual(refusedNow(guesses), 720 - 2 - capacity + 1)
      for (let n = 0; n < addresses.length + 1; n++) yield* endOne()
      assert.deepStrictEqual(names().indexOf("right"), 2 + addresses.length)
      yield* endOne()
      yield* endOne()
      assert.deepStrictEqual(yield* Fiber.join(right), Exit.succeed("right"))
    }).pipe(Effect.provide(Layer.fresh(HashQueue.layer))))

  it.effect("gives the networks of IPv6 that one line or server may have one turn together", () =>
    Effect.gen(function*() {
      const { endOne, make, names } = hashes()
      for (let n = 0; n < 40; n++) yield* ask(`2001:db8:1:${n}::/64`, make("guess"))
      yield* ask("2001:db8:2:0::/64", make("right"))
      yield* endOne()
      yield* endOne()
      assert.include(names(), "right")
    }).pipe(Effect.provide(Layer.fresh(HashQueue.layer))))

  it.effect("displaces nobody for an address that has as much as the others", () =>
    Effect.gen(function*() {
      const { make } = hashes()
      const first = yield* Effect.forEach(
        Array.from({ length: 2 + capacity }, (_, i) => `2001:db8:${i}:0::/64`),
        (address) => ask(address, make(address))
      )
      assert.strictEqual(refusedNow(first), 0)
      assert.strictEqual(refusedNow([yield* ask("198.51.100.1", make("late"))]), 1)
      assert.strictEqual(refusedNow(first), 0)
    }).pipe(Effect.provide(Layer.fresh(HashQueue.layer))))

  it.effect("gives an attempt up that has waited too long, and forgets one whose caller has left", () =>
    Effect.gen(function*() {
      const { endOne, make, names } = hashes()
      yield* ask("192.0.2.1", make("a"))
      yield* ask("192.0.2.1", make("b"))
      const late = yield* ask("192.0.2.1", make("late"))
      yield* TestClock.adjust(timeLimit)
      assert.strictEqual(refusedNow([late]), 1)
      const gone = yield* ask("192.0.2.1", make("gone"))
      yield* ask("192.0.2.2", make("next"))
      yield* Fiber.interrupt(gone)
      yield* endOne()
      assert.deepStrictEqual(names(), ["a", "b", "next"])
    }).pipe(Effect.provide(Layer.fresh(HashQueue.layer))))

  it.effect("runs two at a time, even if the callers of those have left, and survives a hash that fails", () =>
    Effect.gen(function*() {
      const { endOne, make, names, running } = hashes()
      const left = yield* ask("192.0.2.1", make("a"))
      const failing = yield* ask("192.0.2.1", () => Promise.reject(new Error("no hash")))
      assert.isTrue(Exit.isFailure(yield* Fiber.join(failing)))
      yield* ask("192.0.2.1", make("b"))
      yield* Fiber.interrupt(left)
      yield* ask("192.0.2.2", make("c"))
      assert.strictEqual(running(), 2)
      yield* endOne()
      assert.deepStrictEqual(names(), ["a", "b", "c"])
    }).pipe(Effect.provide(Layer.fresh(HashQueue.layer))))
})
