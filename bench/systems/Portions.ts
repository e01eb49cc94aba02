import { Effect } from "effect"

const portion = 10_000

/** Runs an effect for the numbers from 0 to `total`, some thousands at a time, with one statement each time. */
export const inPortions = <E, R>(
  total: number,
  run: (numbers: ReadonlyArray<number>) => Effect.Effect<unknown, E, R>
): Effect.Effect<void, E, R> =>
  Effect.forEach(
    Array.from({ length: Math.ceil(total / portion) }, (_, i) => i * portion),
    (from) => run(Array.from({ length: Math.min(portion, total - from) }, (_, i) => from + i)),
    { discard: true }
  )
