import { Effect, Schedule } from "effect"

/**
 * Asks until the answer is yes: 3,000 times with 20 ms between them, then it dies. It counts questions instead of time,
 * so that a machine that stood still for a while fails no test. A question without an answer for 10 s counts as no.
 */
export const eventually = <E, R>(ask: Effect.Effect<boolean, E, R>): Effect.Effect<void, E, R> =>
  ask.pipe(
    Effect.timeoutOrElse({ duration: "10 seconds", orElse: () => Effect.succeed(false) }),
    Effect.repeat({ until: (yes) => yes, schedule: Schedule.spaced("20 millis"), times: 3_000 }),
    Effect.flatMap((yes) => yes ? Effect.void : Effect.die(new Error("it never happened")))
  )
