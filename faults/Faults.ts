import type { Fault } from "./Fault.ts"
import { clocks } from "./kinds/Clocks.ts"
import { network } from "./kinds/Network.ts"
import { postgres } from "./kinds/Postgres.ts"
import { processes } from "./kinds/Processes.ts"

/** The rows of the table, in their order. */
export const faults: ReadonlyArray<Fault> = [...network, ...clocks, ...postgres, ...processes]
