import { Effect } from "effect"
import type { Fault } from "../Fault.ts"
import { again } from "../world/Program.ts"
import type { World } from "../world/World.ts"

// Redis dies with the jobs that it holds, changes its master, or lets its user do less: the mail server has refused
// mails for a moment, so that there are some.

/** What Redis has lost is enqueued again within a minute (docs/jobs.md). */
const recovers = { from: "end", clients: 10, notices: 60 } as const

/** Does something to Redis while it holds jobs. */
const withJobs = ({ mail }: World, act: Effect.Effect<void>) =>
  Effect.gen(function*() {
    mail.mood = "refuses"
    yield* Effect.sleep("2 seconds")
    yield* act
    mail.mood = "accepts"
  })

const killed = (world: World) => withJobs(world, world.redis.end("SIGKILL"))

export const redis: ReadonlyArray<Fault> = [
  {
    name: "killed-redis",
    what: "Redis is killed, its jobs are lost, and it starts again",
    lasts: [1, 10],
    recovers,
    inflict: (world, seconds) =>
      Effect.gen(function*() {
        yield* killed(world)
        yield* Effect.sleep(seconds * 1000)
        yield* world.redis.start
      })
  },
  {
    name: "sentinel",
    what: "Redis is killed, and its Sentinels promote the replica",
    world: { redis: "sentinels" },
    lasts: [4, 20],
    recovers,
    inflict: (world, seconds) => Effect.andThen(killed(world), Effect.sleep(seconds * 1000))
  },
  {
    name: "managed-redis",
    what: "a managed Redis fails over behind one name, and its old master lives on as a replica",
    world: { redis: "managed" },
    lasts: [4, 60],
    recovers,
    isUnnoticed: true,
    inflict: (world, seconds) =>
      Effect.gen(function*() {
        if (world.managed === undefined) return yield* Effect.die(new Error("the world has no managed Redis"))
        yield* withJobs(world, world.managed.swap)
        yield* Effect.sleep(seconds * 1000)
        yield* world.managed.rename
      })
  },
  {
    name: "restricted-redis",
    what: "Redis lets its user do nothing of `@dangerous`, and the worker is killed and starts again",
    world: { redis: "restricted" },
    lasts: [1, 10],
    recovers: { from: "end", clients: 10, notices: 15 },
    isUnnoticed: true,
    inflict: ({ worker }, seconds) => again(worker.process, "SIGKILL", seconds)
  }
]
