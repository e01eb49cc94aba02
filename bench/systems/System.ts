import type { Effect } from "effect"
import type { Operation } from "../Operations.ts"
import type { Population } from "../Population.ts"

/** A server to be measured. */
export interface System {
  readonly name: string
  /** Fills the empty database at the address. */
  readonly prepare: (databaseUrl: string, population: Population) => Effect.Effect<void, unknown>
  /** Command that starts its process. */
  readonly process: (databaseUrl: string, port: number) => {
    /** Arguments of `node`. */
    readonly args: ReadonlyArray<string>
    readonly env: Readonly<Record<string, string>>
  }
  /** Path of its public keys, if its access tokens are JWTs: it is asked first of all. */
  readonly jwks: string
  readonly accessTokens: "jwt" | "opaque"
  /** Operations that it has. */
  readonly answers: ReadonlyArray<Operation>
}
