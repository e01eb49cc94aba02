import { Effect } from "effect"
import { eventually } from "../../test/support/Eventually.ts"
import type { Fault } from "../Fault.ts"
import { type Cluster, role } from "../world/Cluster.ts"
import type { Node, World } from "../world/World.ts"

// Another server takes over, or a pooler stands between.

/** The standby takes over; from here on, the limit counts. */
const promote = (world: World, standby: Cluster) =>
  Effect.gen(function*() {
    // A session that waited for the promotion would hold a snapshot, with which the end of the recovery may be in
    // conflict.
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

/** Seconds within which every node says in its readiness that commits wait. */
const toldWithin = 15

const saysSo = (node: Node) =>
  Effect.promise(async () => {
    const answer = await fetch(`${node.operatorUrl}/readyz`, { signal: AbortSignal.timeout(5_000) })
    const { checks }: { checks: { database: { status: string; detail: string } } } = await answer.json()
    return checks.database.status !== "ok" && checks.database.detail.startsWith("Commits of the database")
  }).pipe(Effect.orElseSucceed(() => false))

/** Sessions of servers and worker, those included that they have given up. */
const sessions = `SELECT 1 FROM pg_stat_activity WHERE usename = '${role}'`

/** Each of three processes has ten, and may have left as many behind. */
const mostSessions = 60

const waitingCommits: Fault = {
  name: "waiting-commits",
  what: "the synchronous standby is away: every commit waits",
  // A shorter grace than the default lets a short wait outlast it.
  world: { database: "standby", env: { REFRESH_GRACE: "5 seconds" } },
  isDoneLate: true,
  lasts: [20, 240],
  // A notice whose record waited is tried again after pauses that double, the last of which may be as long as all
  // before.
  recovers: { from: "end", clients: 10, notices: 90 },
  inflict: (world, seconds) =>
    Effect.gen(function*() {
      const { nodes, postgres, standby } = world
      if (standby === undefined) return yield* Effect.die(new Error("the world has no standby"))
      // Apps whose grace does not last until the next use, as with public ones.
      yield* postgres.ask("UPDATE clients SET refresh_grace = 'short'")
      const began = performance.now()
      yield* standby.end("SIGINT")
      for (const node of nodes) {
        yield* eventually(saysSo(node))
        const took = (performance.now() - began) / 1000
        if (took > toldWithin) return yield* Effect.die(new Error(`${node.name} says so after ${took.toFixed(1)} s`))
      }
      yield* Effect.sleep(Math.max(0, seconds * 1000 - (performance.now() - began)))
      const { length } = yield* postgres.ask(sessions)
      if (length > mostSessions) return yield* Effect.die(new Error(`${length} sessions are left at the primary`))
      yield* standby.start
    })
}

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
  waitingCommits,
  pooled("pooler", "PgBouncer (transaction mode) is killed and starts again", "SIGKILL", "pooler"),
  pooled("pooler-postgres", "PostgreSQL behind PgBouncer is killed and starts again", "SIGKILL", "postgres")
]
