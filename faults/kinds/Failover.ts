import { Effect } from "effect"
import { eventually } from "../../test/support/Eventually.ts"
import type { Fault } from "../Fault.ts"
import type { Cluster } from "../world/Cluster.ts"
import type { World } from "../world/World.ts"

// Another server takes over, or a pooler stands between.

/** The standby takes over; from here on, the limit counts. */
const promote = (world: World, standby: Cluster) =>
  Effect.gen(function*() {
    // A session that waited for the promotion would hold a snapshot, with which the end of the recovery may be in conflict.
    yield* standby.ask("SELECT pg_promote(wait => false)")
    const isPrimary = standby.ask("SELECT 1 WHERE NOT pg_is_in_recovery()")
    yield* eventually(Effect.map(isPrimary, (rows) => rows.length === 1))
    world.database = standby
  })

const failover = (name: string, what: string, signal: NodeJS.Signals): Fault => ({
  name,
  what,
  world: { database: "standby" },
  lasts: [2, 20],
  recovers: { from: "end", clients: 10, notices: 15 },
  inflict: (world, seconds) =>
    Effect.gen(function*() {
      if (world.standby === undefined) return yield* Effect.die(new Error("the world has no standby"))
      yield* world.postgres.signalAll(signal)
      yield* Effect.sleep(seconds * 1000)
      yield* promote(world, world.standby)
    })
})

const pooled = (name: string, what: string, signal: NodeJS.Signals, program: "pooler" | "postgres"): Fault => ({
  name,
  what,
  world: { database: "pooler" },
  lasts: [2, 10],
  recovers: { from: "end", clients: 10, notices: 15 },
  inflict: (world, seconds) =>
    Effect.gen(function*() {
      const struck = world[program]
      if (struck === undefined) return yield* Effect.die(new Error("the world has no pooler"))
      yield* struck.signalAll(signal)
      yield* Effect.sleep(seconds * 1000)
      yield* struck.start
    })
})

export const failovers: ReadonlyArray<Fault> = [
  failover("failover", "the primary is killed and its synchronous standby promoted", "SIGKILL"),
  failover("failover-silent", "the primary falls silent (SIGSTOP) and its synchronous standby is promoted", "SIGSTOP"),
  pooled("pooler", "PgBouncer (transaction mode) is killed and starts again", "SIGKILL", "pooler"),
  pooled("pooler-postgres", "PostgreSQL behind PgBouncer is killed and starts again", "SIGKILL", "postgres")
]
