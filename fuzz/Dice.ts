import { Effect, Random } from "effect"

/** Choices that follow from the seed of the run (`Random.withSeed`). */
export interface Dice {
  /** An integer from 0 to below the bound. */
  readonly below: (bound: number) => number
  /** Says yes with this probability. */
  readonly chance: (probability: number) => boolean
  readonly pick: <A>(items: readonly [A, ...ReadonlyArray<A>]) => A
  /** One of any number of items; `undefined` if there are none. */
  readonly pickAny: <A>(items: ReadonlyArray<A>) => A | undefined
}

export const dice = Effect.map(Random.Random, (random): Dice => {
  const below = (bound: number) => Math.floor(random.nextDoubleUnsafe() * bound)
  return {
    below,
    chance: (probability) => random.nextDoubleUnsafe() < probability,
    pick: (items) => items[below(items.length)] ?? items[0],
    pickAny: (items) => items[below(items.length)]
  }
})
