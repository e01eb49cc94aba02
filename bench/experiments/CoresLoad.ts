import { Effect } from "effect"
import { closedLoop, limited, type Source } from "../load/Load.ts"
import { type Offered, openLoop } from "../load/OpenLoop.ts"
import type { Options } from "../Options.ts"
import { failed } from "../Report.ts"
import { slotkey } from "../systems/Slotkey.ts"
import type { System } from "../systems/System.ts"

// Load of several processes, and of what they are measured beside.

/** Server with settings of its own, and with codes that outlast the warm-up of eight processes. */
export const slotkeyWith = (settings: Readonly<Record<string, string>>): System => ({
  ...slotkey,
  process: (...where) => {
    const { args, env } = slotkey.process(...where)
    return { args, env: { ...env, CODE_LIFETIME: "10 minutes", ...settings } }
  }
})

/** Grants that the load begins with. */
export const grants = 5_000

/**
 * Enough for each operation, of which every process is to be as warm as one alone: so requests are counted, not
 * seconds.
 */
export const loadOf = (count: number, rate: number, options: Options) => {
  const warmUp = count * options.warmUp * 2_500
  const codes = grants + warmUp + Math.ceil(options.seconds * rate * 1.5)
  return { warmUp, population: { clients: options.clients, users: 1000, codes } }
}

/** Load of the servers at these ports, which share its rate and its connections. */
export const generator = (ports: ReadonlyArray<number>, rate: number, { connections, seconds }: Options) => ({
  warm: (source: Source, requests: number) =>
    Effect.promise(() => closedLoop({ ports, connections, seconds: 600, source: limited(source, requests) })),
  offer: Effect.fnUntraced(function*(source: Source) {
    const goesOn = (_: number, elapsed: number) => elapsed < seconds * 1000
    const part = { connections: connections / ports.length, rate: rate / ports.length, source, goesOn }
    const offered = yield* Effect.promise(() => Promise.all(ports.map((port) => openLoop({ port, ...part }))))
    const sum = (of: (one: Offered) => number) => offered.reduce((total, one) => total + of(one), 0)
    return {
      sent: sum(({ sent }) => sent),
      rate: sum(({ seconds, sent }) => sent / seconds),
      failures: sum((one) => failed(one) + one.refused)
    }
  })
})
