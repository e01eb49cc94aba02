import * as Flags from "../test/support/Flags.ts"

/** Settings of a run; `faults/README.md` lists the flags. */
export interface Options {
  /** Runs only the rows whose names contain one of these. */
  readonly only: ReadonlyArray<string>
  /** Seconds for which a fault lasts, instead of those of its row. */
  readonly seconds: number | undefined
  /** Faults last as long as they did where they were found, under more load. */
  readonly full: boolean
  /** Number of rows that run at the same time, each in a world of its own. */
  readonly jobs: number
  /** Keeps the logs of all processes, and says where. */
  readonly keep: boolean
}

export const read = (): Options => {
  const { values } = Flags.read({
    command: "npm run faults --",
    page: "faults/README.md",
    options: {
      only: { type: "string", default: "" },
      seconds: { type: "string" },
      full: { type: "boolean", default: false },
      jobs: { type: "string", default: "2" },
      keep: { type: "boolean", default: false }
    }
  })
  return {
    only: values.only.split(",").filter((name) => name !== ""),
    seconds: values.seconds === undefined ? undefined : Flags.positive("seconds", values.seconds),
    full: values.full,
    jobs: Flags.positive("jobs", values.jobs),
    keep: values.keep
  }
}
