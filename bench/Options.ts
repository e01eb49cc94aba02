import { parseArgs } from "node:util"

/** What a run looks like; `bench/README.md` lists the flags. */
export interface Options {
  readonly experiment: string
  /** How often each system has its turn. */
  readonly rounds: number
  /** How long each operation is measured. */
  readonly seconds: number
  /** How long it runs before, unmeasured. */
  readonly warmUp: number
  readonly connections: number
  /** How many clients the requests come from. */
  readonly clients: number
  /** Measures only systems whose name contains this. */
  readonly only: string
  /** The folder of another checkout, for the experiment that sets this one beside it. */
  readonly base: string
  /** Writes a CPU profile of each server process. */
  readonly profile: boolean
  /** How many grants and clients more the large database holds. */
  readonly ballast: { readonly grants: number; readonly clients: number }
  /** How many refreshes the growth experiment makes. */
  readonly refreshes: number
  /** How many rows the purge experiment has deleted. */
  readonly deadRows: number
  /** How long two processes fight for the same rows. */
  readonly chaosSeconds: number
}

export const read = (args: ReadonlyArray<string>): Options => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      rounds: { type: "string" },
      seconds: { type: "string" },
      connections: { type: "string", default: "64" },
      clients: { type: "string", default: "10" },
      only: { type: "string", default: "" },
      base: { type: "string", default: "" },
      profile: { type: "boolean", default: false },
      "ballast-grants": { type: "string" },
      "ballast-clients": { type: "string" },
      refreshes: { type: "string" },
      "dead-rows": { type: "string" },
      "chaos-seconds": { type: "string" }
    }
  })
  const either = (given: string | undefined, quick: number, full: number) =>
    given === undefined ? values.quick ? quick : full : Number(given)
  return {
    experiment: positionals[0] ?? "comparison",
    rounds: either(values.rounds, 1, 3),
    seconds: either(values.seconds, 1, 6),
    warmUp: values.quick ? 0.5 : 6,
    connections: Number(values.connections),
    clients: Number(values.clients),
    only: values.only,
    base: values.base,
    profile: values.profile,
    ballast: {
      grants: either(values["ballast-grants"], 100_000, 10_000_000),
      clients: either(values["ballast-clients"], 1_000, 100_000)
    },
    refreshes: either(values.refreshes, 10_000, 1_000_000),
    deadRows: either(values["dead-rows"], 50_000, 1_000_000),
    chaosSeconds: either(values["chaos-seconds"], 5, 180)
  }
}
