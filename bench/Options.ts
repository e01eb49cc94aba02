import { parseArgs } from "node:util"

export interface Options {
  /** How often each system has its turn. */
  readonly rounds: number
  /** How long each operation is measured. */
  readonly seconds: number
  /** How long it runs before, unmeasured. */
  readonly warmUp: number
  readonly connections: number
  /** How many clients the requests come from. */
  readonly clients: number
  /** The systems whose name contains the text. */
  readonly only: string
  /** Write a CPU profile of each server process to bench/profiles. */
  readonly profile: boolean
}

export const read = (args: ReadonlyArray<string>): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      rounds: { type: "string" },
      seconds: { type: "string" },
      connections: { type: "string", default: "64" },
      clients: { type: "string", default: "10" },
      only: { type: "string", default: "" },
      profile: { type: "boolean", default: false }
    }
  })
  return {
    rounds: Number(values.rounds ?? (values.quick ? 1 : 3)),
    seconds: Number(values.seconds ?? (values.quick ? 1 : 6)),
    warmUp: values.quick ? 0.5 : 2,
    connections: Number(values.connections),
    clients: Number(values.clients),
    only: values.only,
    profile: values.profile
  }
}
