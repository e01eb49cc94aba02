// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Sink, Stdio } from "effect"
import { TestClock } from "effect/testing"
import { Json } from "../../../src/doors/cli/OperatorCommand.ts"
import * as Progress from "../../../src/doors/cli/Progress.ts"
import * as MigrationStep from "../../../src/foundation/database/MigrationStep.ts"

/** What is on standard error after a command has told its progress. */
const told = Effect.fnUntraced(function*<E>(
  { isJson = false, isTerminal }: { readonly isJson?: boolean; readonly isTerminal: boolean },
  command: Effect.Effect<void, E, Effect.Services<typeof Progress.make>>
) {
  let text = ""
  const stderr = () => Sink.forEach((part: unknown) => Effect.sync(() => text += String(part)))
  yield* Effect.scoped(command).pipe(
    Effect.provide(Stdio.layerTest({ stderr, stderrIsTerminal: Effect.succeed(isTerminal) })),
    Effect.provideService(Json, isJson)
  )
  return text
})

const counting = Effect.gen(function*() {
  const { tell } = yield* Progress.make
  for (let n = 50; n <= 10_000; n += 50) yield* tell("lines read", n)
  yield* tell("apps written", 300)
  yield* tell("apps written", 5_500)
})

const waiting = Effect.gen(function*() {
  const done = yield* Deferred.make<void>()
  const fiber = yield* Effect.forkChild(Progress.during("Ending grants")(Deferred.await(done)))
  yield* TestClock.adjust("11 seconds")
  yield* Deferred.succeed(done, undefined)
  yield* Fiber.join(fiber)
})

const migrating = Effect.gen(function*() {
  const done = yield* Deferred.make<void>()
  const steps = Effect.gen(function*() {
    yield* MigrationStep.begin("migration 0001_tables")
    yield* Effect.sleep("7 seconds")
    yield* MigrationStep.begin("index audit_log_at")
    yield* Deferred.await(done)
  })
  const fiber = yield* Effect.forkChild(Progress.duringSteps(2)(steps))
  yield* TestClock.adjust("11 seconds")
  yield* Deferred.succeed(done, undefined)
  yield* Fiber.join(fiber)
})

describe("The progress of a long command", () => {
  it.effect("is a line for every 5,000 items of a step", () =>
    Effect.gen(function*() {
      const lines = "5000 lines read\n10000 lines read\n5500 apps written\n"
      assert.strictEqual(yield* told({ isTerminal: false }, counting), lines)
    }))

  it.effect("is one line on a terminal, which is empty at the end", () =>
    Effect.gen(function*() {
      const parts = (yield* told({ isTerminal: true }, counting)).split("\r\u001b[K")
      assert.deepStrictEqual(parts.slice(0, 3), ["", "100 lines read", "200 lines read"])
      assert.deepStrictEqual(parts.slice(-3), ["300 apps written", "5500 apps written", ""])
    }))

  it.effect("is a line for every five seconds where nothing can be counted", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* told({ isTerminal: false }, waiting), "Ending grants: 5 s\nEnding grants: 10 s\n")
    }))

  it.effect("is a line for every step of a migration, and one every five seconds that a step goes on", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* told({ isTerminal: false }, migrating)).split("\n"), [
        "Step 1 of 2, migration 0001_tables",
        "Step 1 of 2, migration 0001_tables: 5 s in all",
        "Step 2 of 2, index audit_log_at",
        "Step 2 of 2, index audit_log_at: 10 s in all",
        ""
      ])
    }))

  it.effect("is not told to programs that ask for JSON", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* told({ isJson: true, isTerminal: false }, Effect.andThen(counting, waiting)), "")
      assert.isNotEmpty(yield* told({ isJson: true, isTerminal: true }, counting))
    }))
})
