import { Effect, Schedule } from "effect"

/**
 * Repeats a check until it succeeds, and dies after 7,500 attempts, 20 ms apart. Counting attempts instead of time
 * keeps a machine that stalls for a while from failing the test. An attempt that takes longer than 10 s counts as
 * failed.
 */
export const eventually = <E, R>(ask: Effect.Effect<boolean, E, R>): Effect.Effect<void, E, R> =>
  ask.pipe(
    Effect.timeoutOrElse({ duration: "10 seconds", orElse: () => Effect.succeed(false) }),
    Effect.repeat({ until: (yes) => yes, schedule: Schedule.spaced("20 millis"), times: 7_500 }),
    Effect.flatMap((yes) => yes ? Effect.void : Effect.die(new Error("it never happened")))
  )
