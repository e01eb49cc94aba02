import { Clock, Context, type Duration, Effect, Layer } from "effect"
import { MachineClock } from "../../src/foundation/database/DatabaseClock.ts"
import { shift } from "../../src/testing/ShiftedClock.ts"

/** Machine of a node whose clock is wrong by the offset; the database's is right. */
export const layerWrong = (offset: () => Duration.Duration): Layer.Layer<never> =>
  Layer.effectContext(Clock.clockWith((real) => {
    const wrong = shift(real, offset)
    return Effect.succeed(Context.make(Clock.Clock, wrong).pipe(Context.add(MachineClock, wrong)))
  }))
