import { Clock, Duration, Effect, Exit } from "effect"

/**
 * Makes an effect that keeps what it succeeded with for this long, by the monotonic clock: `Effect.cachedWithTTL` goes
 * by the machine's time, and a clock that is set back by an hour would keep it for an hour more. A failure is not kept.
 * Those who ask while the effect runs share that run.
 */
export const cachedFor = Effect.fnUntraced(function*<A, E, R>(
  self: Effect.Effect<A, E, R>,
  duration: Duration.Input
): Effect.fn.Return<Effect.Effect<A, E, R>> {
  const nanos = Duration.toNanosUnsafe(Duration.fromInputUnsafe(duration))
  // Absent while nothing is kept, which is also while the effect runs: forgetting then would start a second run.
  let until: bigint | undefined
  const run = Effect.tap(self, () =>
    Effect.map(Clock.monotonicTimeNanos, (now) => {
      until = now + nanos
    }))
  const [cached, forget] = yield* Effect.cachedInvalidateWithTTL(
    run,
    (exit) => Exit.isSuccess(exit) ? Duration.infinity : Duration.zero
  )
  return Effect.flatMap(Clock.monotonicTimeNanos, (now) => {
    if (until === undefined || now < until) return cached
    until = undefined
    return Effect.andThen(forget, cached)
  })
})
