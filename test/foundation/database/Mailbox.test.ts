import { assert, layer } from "@effect/vitest"
import { Cause, Deferred, Duration, Effect, Exit, Fiber } from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as Mailbox from "../../../src/foundation/database/Mailbox.ts"
import { StatementTimeout } from "../../../src/foundation/database/StatementTimeout.ts"
import { total } from "../../support/Metrics.ts"

layer(AppConfig.layerTest({ TOKEN_TIMEOUT: "3 seconds" }))("A mailbox", (it) => {
  it.effect("hands the messages that wait over together, and each sender gets the answer to its own", () =>
    Effect.gen(function*() {
      const batches: Array<number> = []
      const ask = yield* Mailbox.make({
        name: "Echo",
        handle: (batch: Mailbox.Batch<number>) =>
          Effect.sync(() => {
            batches.push(batch.length)
            return batch.map((n) => n * 2)
          })
      })
      const numbers = Array.from({ length: 60 }, (_, n) => n)
      assert.deepStrictEqual(
        yield* Effect.forEach(numbers, ask, { concurrency: "unbounded" }),
        numbers.map((n) => n * 2)
      )
      assert.isBelow(batches.length, 5)
      assert.isAtMost(Math.max(...batches), Mailbox.batchSize)
    }))

  it.effect("shows how many messages wait, and how large its batches were", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const ask = yield* Mailbox.make({
        name: "Measured",
        handle: (batch: Mailbox.Batch<number>) => Effect.as(Deferred.await(gate), batch)
      })
      const measured = Effect.all([
        total("slotkey_mailbox_waiting", { mailbox: "Measured" }),
        total("slotkey_mailbox_batch_size_count", { mailbox: "Measured" }),
        total("slotkey_mailbox_batch_size_sum", { mailbox: "Measured" })
      ])
      const leaving = Mailbox.mostInFlight * Mailbox.batchSize
      const numbers = Array.from({ length: leaving + 3 }, (_, n) => n)
      const sent = yield* Effect.forEach(numbers, (n) => Effect.forkChild(ask(n), { startImmediately: true }))
      assert.deepStrictEqual(yield* measured, [3, Mailbox.mostInFlight, leaving])
      yield* Deferred.succeed(gate, undefined)
      yield* Effect.forEach(sent, Fiber.join)
      assert.deepStrictEqual(yield* measured, [0, Mailbox.mostInFlight + 1, leaving + 3])
    }))

  it.effect("refuses at once when it is full, and takes messages again when it is not", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const ask = yield* Mailbox.make({
        name: "Echo",
        capacity: Mailbox.batchSize,
        handle: (batch: Mailbox.Batch<number>) => Effect.as(Deferred.await(gate), batch)
      })
      const places = (Mailbox.mostInFlight + 1) * Mailbox.batchSize
      const numbers = Array.from({ length: places }, (_, n) => n)
      const sent = yield* Effect.forEach(numbers, (n) => Effect.forkChild(ask(n), { startImmediately: true }))
      assert.strictEqual((yield* Effect.flip(ask(places)))._tag, "TemporarilyUnavailable")
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(yield* Effect.forEach(sent, Fiber.join), numbers)
      assert.strictEqual(yield* ask(places), places)
    }))

  it.effect("goes on after a batch that failed", () =>
    Effect.gen(function*() {
      const ask = yield* Mailbox.make({
        name: "Echo",
        handle: (batch: Mailbox.Batch<string>) =>
          Effect.sync(() => {
            if (batch.includes("poison")) throw new Error("poisoned")
            return batch
          })
      })
      assert.isTrue(Exit.hasDies(yield* Effect.exit(ask("poison"))))
      assert.strictEqual(yield* ask("bread"), "bread")
    }))

  it.effect("answers after the time limit when a batch does not end, and gives the batch up", () =>
    Effect.gen(function*() {
      const { ask, givenUp } = yield* stuckAt(["stuck"])
      const sender = yield* startAsking(ask, "stuck")
      yield* TestClock.adjust("2750 millis")
      assert.isUndefined(sender.pollUnsafe())
      yield* TestClock.adjust("250 millis")
      assertLate(yield* Fiber.await(sender))
      assert.deepStrictEqual(givenUp, ["stuck"])
      assert.strictEqual(yield* ask("next"), "next")
    }))

  it.effect("goes on with the next batches while two are stuck", () =>
    Effect.gen(function*() {
      const { ask } = yield* stuckAt(["first", "second"])
      const first = yield* startAsking(ask, "first")
      const second = yield* startAsking(ask, "second")
      yield* TestClock.adjust("1 second")
      const third = yield* startAsking(ask, "third")
      yield* TestClock.adjust("750 millis")
      assert.isUndefined(third.pollUnsafe())
      // The two have made room: two thirds of the limit have passed.
      yield* TestClock.adjust("250 millis")
      assert.strictEqual(yield* Fiber.join(third), "third")
      assert.isUndefined(first.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assertLate(yield* Fiber.await(first))
      assertLate(yield* Fiber.await(second))
    }))

  it.effect("counts the time that a message waited before a batch took it", () =>
    Effect.gen(function*() {
      const { ask, handled } = yield* stuckAt(["a", "b", "c"])
      const senders = yield* Effect.forEach(["a", "b", "c"], (name) => startAsking(ask, name))
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(handled, ["a", "b", "c"])
      yield* TestClock.adjust("1 second")
      for (const exit of yield* Effect.forEach(senders, Fiber.await)) assertLate(exit)
    }))

  it.effect("answers in time those whose turn comes too late, or not at all", () =>
    Effect.gen(function*() {
      const names = ["a", "b", "c", "d", "e", "f", "g", "h"]
      const { ask, handled } = yield* stuckAt(names)
      const senders = yield* Effect.forEach(names, (name) => startAsking(ask, name))
      yield* TestClock.adjust("3 seconds")
      assert.isBelow(handled.length, names.length)
      for (const sender of senders) assertLate(sender.pollUnsafe() ?? Exit.void)
    }))

  it.effect("gives its statements two thirds of the time, and keeps no timer when nothing waits", () =>
    Effect.gen(function*() {
      const limits: Array<number | undefined> = []
      const ask = yield* Mailbox.make({
        name: "Echo",
        handle: (batch: Mailbox.Batch<string>) =>
          Effect.gen(function*() {
            const limit = yield* StatementTimeout
            limits.push(limit && Duration.toMillis(limit))
            return batch
          })
      })
      yield* ask("one")
      assert.deepStrictEqual(limits, [2_000])
      // An endless timer would have ticked a quarter of a million times a day.
      yield* TestClock.adjust("365 days")
    }))
})

/** A mailbox that is asked by whole batches of one name, of which those of the given names never end by themselves. */
const stuckAt = Effect.fnUntraced(function*(names: ReadonlyArray<string>) {
  const handled: Array<string> = []
  const givenUp: Array<string> = []
  const askOne = yield* Mailbox.make({
    name: "Echo",
    handle: (batch: Mailbox.Batch<string>) => {
      handled.push(batch[0])
      return names.includes(batch[0])
        ? Effect.onInterrupt(Effect.never, () => Effect.sync(() => givenUp.push(batch[0])))
        : Effect.succeed(batch)
    }
  })
  const ask = (name: string) =>
    Effect.map(
      Effect.replicateEffect(askOne(name), Mailbox.batchSize, { concurrency: "unbounded" }),
      ([answer]) => answer
    )
  return { ask, handled, givenUp }
})

/** Starts to ask; the mailbox has taken the messages when this returns. */
const startAsking = Effect.fnUntraced(function*<A, E>(ask: (message: string) => Effect.Effect<A, E>, message: string) {
  const fiber = yield* Effect.forkChild(ask(message), { startImmediately: true })
  yield* Effect.yieldNow
  return fiber
})

const assertLate = (exit: Exit.Exit<unknown, unknown>) => {
  const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
  assert.isTrue(SqlError.isSqlError(error) && error.reason._tag === "StatementTimeoutError")
}
