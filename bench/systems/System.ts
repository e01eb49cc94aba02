import type { Effect } from "effect"
import type { Population } from "../Population.ts"

/** A server to be measured. */
export interface System {
  readonly name: string
  /** Fills the empty database at the address. */
  readonly prepare: (databaseUrl: string, population: Population) => Effect.Effect<void, unknown>
  /** How its process is started. */
  readonly process: (databaseUrl: string, port: number) => {
    /** What follows `node`. */
    readonly args: ReadonlyArray<string>
    readonly env: Readonly<Record<string, string>>
  }
  /** Where its public keys are. */
  readonly jwks: string
  /** Whether it answers a gateway's question about a call (docs/gateway.md). */
  readonly answersGateways: boolean
}
