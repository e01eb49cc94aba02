import type { Fault } from "./Fault.ts"
import { clocks } from "./kinds/Clocks.ts"
import { failovers } from "./kinds/Failover.ts"
import { network } from "./kinds/Network.ts"
import { postgres } from "./kinds/Postgres.ts"
import { processes } from "./kinds/Processes.ts"
import { redis } from "./kinds/Redis.ts"
import { restore } from "./kinds/Restore.ts"
import { schema } from "./kinds/Schema.ts"
import { surroundings } from "./kinds/Surroundings.ts"

/** Rows of the table, in their order. */
export const faults: ReadonlyArray<Fault> = [
  ...network,
  ...clocks,
  ...postgres,
  ...processes,
  ...redis,
  ...failovers,
  ...surroundings,
  schema,
  restore
]
