import * as Flags from "../test/support/Flags.ts"

/** Settings of a run; `fuzz/README.md` lists the flags. */
export interface Options {
  /** Seconds for which requests are sent. */
  readonly seconds: number
  /** Seed of all choices: the same seed makes the same choices. */
  readonly seed: string
  /** Runs only targets whose name contains this. */
  readonly only: string
}

export const read = (): Options => {
  const { values } = Flags.read({
    command: "npm run fuzz --",
    page: "fuzz/README.md",
    options: {
      seconds: { type: "string", default: "60" },
      seed: { type: "string", default: crypto.randomUUID() },
      only: { type: "string", default: "" }
    }
  })
  return { seconds: Flags.positive("seconds", values.seconds), seed: values.seed, only: values.only }
}
