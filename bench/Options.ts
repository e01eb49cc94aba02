import * as Flags from "../test/support/Flags.ts"

/** Settings of a run; `bench/README.md` lists the flags. */
export interface Options {
  /** Turns of each system. */
  readonly rounds: number
  /** Seconds for which each operation is measured. */
  readonly seconds: number
  /** Seconds for which it runs before that, unmeasured. */
  readonly warmUp: number
  readonly connections: number
  /** Number of OAuth clients that the requests come from. */
  readonly clients: number
  /** Measures only systems whose name contains this. */
  readonly only: string
  /** Folder of another checkout, for the experiment that sets this one beside it. */
  readonly base: string
  /** Writes a CPU profile of each server process. */
  readonly profile: boolean
  /** Grants and clients that the large database holds beside those of the load. */
  readonly ballast: { readonly grants: number; readonly clients: number }
  /** Number of refreshes of the growth experiment. */
  readonly refreshes: number
  /** Number of lines of the file that is imported. */
  readonly lines: number
  /** Minutes of the long run. */
  readonly minutes: number
  /**
   * Requests that a rolling restart has to answer, and how many come in a second, there and in the long run: 0 for a
   * part of what one server can.
   */
  readonly requests: number
  readonly rate: number
  /** Calls of the recorded day, and seconds for which its servers add them up (`USAGE_INTERVAL`). */
  readonly calls: number
  readonly usageInterval: number
  /** Delay of a server that is restarted behind a proxy (`DRAIN_DELAY`). */
  readonly drainDelay: string
}

/** Reads the settings and the name of the experiment, which is the given one unless another is named. */
export const read = <Name extends string>(
  experiments: ReadonlyArray<Name>,
  first: NoInfer<Name>
): Options & { readonly experiment: Name } => {
  const { positionals, values } = Flags.read({
    command: "npm run bench --",
    words: experiments,
    page: "bench/README.md",
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
      lines: { type: "string" },
      minutes: { type: "string" },
      calls: { type: "string" },
      requests: { type: "string" },
      rate: { type: "string" }
    }
  })
  const either = (
    flag: Exclude<keyof typeof values, "quick" | "profile" | "only" | "base">,
    quick: number,
    full: number
  ) => values[flag] === undefined ? values.quick ? quick : full : Flags.positive(flag, values[flag])
  return {
    experiment: experiments.find((name) => name === positionals[0]) ?? first,
    rounds: either("rounds", 1, 3),
    seconds: either("seconds", 1, 6),
    warmUp: values.quick ? 0.5 : 6,
    connections: Flags.positive("connections", values.connections),
    clients: Flags.positive("clients", values.clients),
    only: values.only,
    base: values.base,
    profile: values.profile,
    ballast: {
      grants: either("ballast-grants", 100_000, 10_000_000),
      clients: either("ballast-clients", 1_000, 100_000)
    },
    refreshes: either("refreshes", 10_000, 1_000_000),
    lines: either("lines", 1_000, 20_000),
    minutes: either("minutes", 1, 60),
    requests: either("requests", 2_000, 20_000),
    calls: either("calls", 4_000, 100_000),
    usageInterval: values.quick ? 2 : 20,
    rate: values.rate === undefined ? 0 : Flags.positive("rate", values.rate),
    drainDelay: values.quick ? "3 seconds" : "5 seconds"
  }
}
