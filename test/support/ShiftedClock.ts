import { Clock, Context, Duration, Effect, Layer } from "effect"
import { MachineClock } from "../../src/foundation/database/DatabaseClock.ts"

/**
 * A clock that a journey can move forward. Sleeps still take real time, so that browsers, sockets and background fibers
 * work as usual.
 */
export class ShiftedClock extends Context.Service<ShiftedClock, {
  forward(duration: Duration.Input): Effect.Effect<void>
}>()("slotkey/test/support/ShiftedClock") {
  /** Everything that is built on this layer uses the shifted clock. */
  static readonly layer = Layer.effectContext(
    Clock.clockWith((real) =>
      Effect.sync(() => {
        let offset = Duration.zero
        const shifted = shift(real, () => offset)
        const forward = (duration: Duration.Input) =>
          Effect.sync(() => {
            offset = Duration.sum(offset, Duration.fromInputUnsafe(duration))
          })
        return Context.make(ShiftedClock, ShiftedClock.of({ forward })).pipe(Context.add(Clock.Clock, shifted))
      })
    )
  )
}

/** The machine of a node whose clock is wrong by the offset; the database's is right. */
export const layerWrong = (offset: () => Duration.Duration): Layer.Layer<never> =>
  Layer.effectContext(Clock.clockWith((real) => {
    const wrong = shift(real, offset)
    return Effect.succeed(Context.make(Clock.Clock, wrong).pipe(Context.add(MachineClock, wrong)))
  }))

const shift = (real: Clock.Clock, offset: () => Duration.Duration): Clock.Clock => {
  const millis = () => real.currentTimeMillisUnsafe() + Duration.toMillis(offset())
  const nanos = () => real.currentTimeNanosUnsafe() + Duration.toNanosUnsafe(offset())
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: real.monotonicTimeNanos,
    sleep: (duration) => real.sleep(duration)
  }
}
