import { Effect, Schedule } from "effect"

/**
 * Asks until the answer is yes, some thousand times in a minute or more; dies after them. It counts its questions, not the
 * time, so that a machine that stood still for a while is no failure.
 */
export const eventually = <E, R>(ask: Effect.Effect<boolean, E, R>): Effect.Effect<void, E, R> =>
  ask.pipe(
    Effect.repeat({ until: (yes) => yes, schedule: Schedule.spaced("20 millis"), times: 3_000 }),
    Effect.flatMap((yes) => yes ? Effect.void : Effect.die(new Error("it never happened")))
  )
