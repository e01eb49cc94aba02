import { Clock, Context, Duration, Effect, Layer } from "effect"

/**
 * A clock that a test can move forward. Sleeps still take real time, so that browsers, sockets and background fibers
 * work as usual.
 */
export class ShiftedClock extends Context.Service<ShiftedClock, {
  forward(duration: Duration.Input): Effect.Effect<void>
  /** Takes back all that it was moved by. */
  readonly reset: Effect.Effect<void>
}>()("slotkey/testing/ShiftedClock") {
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
        const reset = Effect.sync(() => {
          offset = Duration.zero
        })
        return Context.make(ShiftedClock, ShiftedClock.of({ forward, reset })).pipe(Context.add(Clock.Clock, shifted))
      })
    )
  )
}

/** Clock with its time moved by the offset; sleeps are those of the clock. */
export const shift = (real: Clock.Clock, offset: () => Duration.Duration): Clock.Clock => {
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
