import { Effect } from "effect"
import type { Fault } from "../Fault.ts"
import type { World } from "../world/World.ts"

// Redis dies with the jobs that it holds: the mail server has refused mails for a moment, so that there are some.

/** What Redis has lost is enqueued again within a minute (docs/jobs.md). */
const recovers = { from: "end", clients: 10, notices: 60 } as const

const killed = ({ mail, redis }: World) =>
  Effect.gen(function*() {
    mail.mood = "refuses"
    yield* Effect.sleep("2 seconds")
    yield* redis.end("SIGKILL")
    mail.mood = "accepts"
  })

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
    world: { sentinels: true },
    lasts: [4, 20],
    recovers,
    inflict: (world, seconds) => Effect.andThen(killed(world), Effect.sleep(seconds * 1000))
  }
]
