import { Duration, Effect, Fiber } from "effect"
import { TestServer } from "../TestServer.ts"

/** Faults of a test server. */
interface Faulty {
  readonly databaseAway: boolean
  readonly tokenDelay: Duration.Duration
}

export const none: Faulty = { databaseAway: false, tokenDelay: Duration.zero }

/** Makes the server faulty in this way alone until another call changes it. */
export const make = Effect.gen(function*() {
  const { whileDatabaseIsAway, whileTokensTake } = yield* TestServer
  const scope = yield* Effect.scope
  let current: ReadonlyArray<Fiber.Fiber<never>> = []

  return Effect.fnUntraced(function*({ databaseAway, tokenDelay }: Faulty) {
    yield* Fiber.interruptAll(current)
    const faults = [
      ...databaseAway ? [whileDatabaseIsAway(Effect.never)] : [],
      ...Duration.isZero(tokenDelay) ? [] : [whileTokensTake(tokenDelay, Effect.never)]
    ]
    current = yield* Effect.forEach(faults, (fault) => Effect.forkIn(fault, scope, { startImmediately: true }))
  })
})
