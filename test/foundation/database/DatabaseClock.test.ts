// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Duration, Effect, Layer, Logger } from "effect"
import { DatabaseClock } from "../../../src/foundation/database/DatabaseClock.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { layerWrong } from "../../support/WrongClock.ts"

/** A machine whose clock can be set, with what it logs about that. */
const machine = Effect.gen(function*() {
  const logged: Array<unknown> = []
  let offset = Duration.zero
  const recorder = Logger.make(({ message }) => logged.push(...[message].flat()))
  const context = yield* Layer.build(Layer.fresh(
    DatabaseClock.layer.pipe(Layer.provideMerge(layerWrong(() => offset)))
  ))
  const clock = Context.get(context, DatabaseClock)
  const on = <A, E>(effect: Effect.Effect<A, E>) =>
    effect.pipe(Effect.provide(context), Effect.provideService(Logger.CurrentLoggers, new Set([recorder])))
  return {
    logged,
    set: (to: Duration.Input) => Effect.sync(() => offset = Duration.fromInputUnsafe(to)),
    /** Its error after it was corrected by what was measured, in milliseconds. */
    error: Effect.map(on(clock.now), (now) => Math.abs(DateTime.toEpochMillis(now) - Date.now())),
    /** Handles a statement that reads the database's clock and then takes this long to answer. */
    handle: (delay: Duration.Input) =>
      on(clock.observe(
        Effect.suspend(() => Effect.delay(Effect.succeed([DateTime.nowUnsafe()]), delay)),
        DateTime.toDateUtc
      ))
  }
})

// A stalled answer would move the clock by half of the stall.
const stall = Duration.seconds(4)
const tolerance = 1_000

layer(TestDatabase.layer, { excludeTestServices: true })("The database's clock", (it) => {
  it.effect(
    "is known from the start, and a statement that is held up does not change that",
    () =>
      Effect.gen(function*() {
        const { error, handle } = yield* machine
        assert.isBelow(yield* error, tolerance)
        yield* handle(stall)
        assert.isBelow(yield* error, tolerance)
      }),
    30_000
  )

  it.effect(
    "is known again after the next statement when the machine's was set, which is logged once each way",
    () =>
      Effect.gen(function*() {
        const { error, handle, logged, set } = yield* machine
        yield* set("1 hour")
        yield* handle("0 seconds")
        assert.isBelow(yield* error, tolerance)
        yield* handle("0 seconds")
        yield* set("0 seconds")
        yield* handle("0 seconds")
        assert.isBelow(yield* error, tolerance)
        assert.lengthOf(logged, 2)
        assert.match(String(logged[0]), /The clock of this machine is 3\d{3} s ahead of the database's, which counts/)
        assert.strictEqual(logged[1], "The clock of this machine agrees with the database's again")
      }),
    30_000
  )
})
