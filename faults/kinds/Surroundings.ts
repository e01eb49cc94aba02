import { Effect } from "effect"
import type { Fault } from "../Fault.ts"
import { again } from "../world/Program.ts"

// A PostgreSQL that others run, with fewer rights or another default than the usual one.

export const surroundings: ReadonlyArray<Fault> = [
  {
    name: "two-roles",
    what: "the role can make nothing (MIGRATE=apart, jobs in PostgreSQL), and the worker is killed and starts again",
    world: { database: "two roles", redis: "none" },
    lasts: [1, 10],
    recovers: { from: "end", clients: 10, notices: 15 },
    isUnnoticed: true,
    inflict: ({ worker }, seconds) => again(worker.process, "SIGKILL", seconds)
  },
  {
    name: "serializable",
    what: "the database's transactions are serializable by default, under a rush of users",
    world: { database: "serializable" },
    load: { chains: 20, newcomers: 12 },
    lasts: [5, 20],
    recovers: { from: "end", clients: 10, notices: 15 },
    isUnnoticed: true,
    inflict: (_, seconds) => Effect.sleep(seconds * 1000)
  }
]
