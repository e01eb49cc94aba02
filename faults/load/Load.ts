import { Effect, type Scope } from "effect"
import { setTimeout as pause } from "node:timers/promises"
import type { World } from "../world/World.ts"
import { follow } from "./Chain.ts"
import { decide } from "./Decider.ts"
import { Ledger } from "./Ledger.ts"
import { connect, type Scene, stream } from "./Newcomer.ts"
import { Notices } from "./Notices.ts"
import { Traffic } from "./Traffic.ts"

/** Steady load on a world. */
export interface Load extends Scene {
  readonly notices: Notices
  /** Ends the load and waits for its last answers. */
  readonly stop: Effect.Effect<void>
}

export interface Size {
  readonly chains: number
  readonly newcomers: number
  readonly deciders: number
}

/** Starts the load: chains that refresh, users who come and go, and decisions about apps. */
export const start = (world: World, size: Size): Effect.Effect<Load, never, Scope.Scope> =>
  Effect.gen(function*() {
    const ledger = new Ledger()
    const traffic = new Traffic(world.nodes.map(({ url }) => url))
    const notices = new Notices(world.mail, world.webhook)
    const scene: Scene = { ledger, traffic, template: world.template }
    const collecting = setInterval(() => notices.collect(), 50)

    const named = (role: string, count: number) => Array.from({ length: count }, (_, n) => `${role}${n}`)
    const chain = async (name: string, n: number) => {
      // One after the other: a process that has just started is slow.
      await pause(n * 200)
      await connect(`new ${name}`, name, scene)
      traffic.forget(`new ${name}`)
      await follow(name, { isNaive: n % 2 === 1, ledger, traffic })
    }
    const people = Promise.all([
      ...named("chain", size.chains).map(chain),
      ...named("newcomer", size.newcomers).map(async (name, n) => {
        await pause(n * 200)
        await stream(name, scene)
      }),
      ...named("decider", size.deciders).map((name) => decide(name, scene))
    ])
    const stop = Effect.promise(async () => {
      traffic.stop()
      await people
    })
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        traffic.stop()
        clearInterval(collecting)
      })
    )
    return { ...scene, notices, stop }
  })
