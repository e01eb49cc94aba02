import { Effect } from "effect"
import { join } from "node:path"
import type { Fault } from "../Fault.ts"
import * as Cluster from "../world/Cluster.ts"

/** Operator's way back to a dump (docs/operations/backup.md), with load between dump and restore. */
export const restore: Fault = {
  name: "restore",
  what: "a dump taken under load is restored after more of it",
  lasts: [4, 60],
  recovers: { from: "end", clients: 10, notices: 60 },
  inflict: (world, seconds, { ledger }) =>
    Effect.gen(function*() {
      const { flags } = world.postgres
      const dump = join(world.folder, "dump")
      const run = (program: string, ...args: ReadonlyArray<string>) =>
        Cluster.run(program, [...flags, ...args], world.folder)
      const processes = [...world.nodes.map(({ process }) => process), world.worker.process]

      const taken = performance.now()
      yield* run("pg_dump", "--format=custom", `--file=${dump}`, Cluster.role)
      yield* Effect.sleep(seconds * 1000)
      yield* Effect.forEach(processes, ({ end }) => end("SIGTERM"), { concurrency: 3 })
      yield* run("dropdb", "--force", Cluster.role)
      yield* run("createdb", `--owner=${Cluster.role}`, Cluster.role)
      yield* run("pg_restore", `--dbname=${Cluster.role}`, dump)
      ledger.rewind(taken)
      yield* Effect.forEach(processes, ({ start }) => start, { concurrency: 3 })
    })
}
