import { Effect } from "effect"
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose"
import { closedLoop, type Measured, type Source } from "./load/Load.ts"
import type { TokenLoad } from "./load/TokenLoad.ts"
import type { Operation } from "./Operations.ts"
import type { Options } from "./Options.ts"
import type { Postgres } from "./Postgres.ts"
import * as Processes from "./Processes.ts"
import type { Server } from "./Server.ts"
import type { System } from "./systems/System.ts"

/** Outcome of one load of one server. */
export interface Measurement extends Measured {
  /** CPU seconds within the measured time. */
  readonly cpu: { readonly server: number; readonly database: number; readonly generator: number }
  /** Most memory that one server process has held so far, in megabytes. */
  readonly memory: number
}

/** One operation of one system in one round. */
export interface Result extends Measurement {
  readonly system: string
  readonly operation: Operation
}

/** Runs a load without measuring until the server is warm, then measures it. */
export const loop = Effect.fnUntraced(function*(
  postgres: Postgres,
  servers: ReadonlyArray<Server>,
  source: Source,
  options: Options
) {
  const run = (seconds: number) =>
    Effect.promise(() =>
      closedLoop({ ports: servers.map(({ port }) => port), connections: options.connections, seconds, source })
    )
  const pids = servers.map(({ pid }) => pid)
  yield* run(options.warmUp)
  const before = cpu(pids, postgres.pid)
  const measured = yield* run(options.seconds)
  const after = cpu(pids, postgres.pid)
  return {
    ...measured,
    cpu: {
      server: after.server - before.server,
      database: after.database - before.database,
      generator: after.generator - before.generator
    },
    memory: Math.max(...pids.map(Processes.peakMegabytes))
  }
})

/** Runs all operations one after the other, and verifies the signatures of a sample of the tokens. */
export const all = Effect.fnUntraced(function*(
  postgres: Postgres,
  system: System,
  servers: ReadonlyArray<Server>,
  load: TokenLoad,
  options: Options
) {
  const results: Array<Result> = []
  for (const operation of system.answers) {
    const measured = yield* loop(postgres, servers, sources(load)[operation], options)
    results.push({ ...measured, system: system.name, operation })
    if (system.accessTokens === "jwt" && (operation === "exchange" || operation === "refresh")) {
      yield* verifySignatures(servers[0]?.address + system.jwks, load.sample(50))
    }
  }
  return results
})

/** Requests of each operation. */
export const sources = (load: TokenLoad): Record<Operation, Source> => ({
  exchange: load.exchange,
  refresh: load.refresh,
  check: load.check(distinctTokens),
  gateway: load.gateway(distinctTokens),
  introspect: load.introspect(distinctTokens)
})

/** Number of codes that the exchanges of a run may spend: more than any system here can. */
export const codesFor = (options: Options): number => Math.ceil((options.seconds + options.warmUp) * 20_000)

// An API sees each token many times, so the check cycles through this many.
const distinctTokens = 5_000

const cpu = (servers: ReadonlyArray<number>, database: number) => {
  const { system, user } = process.cpuUsage()
  return {
    server: servers.reduce((sum, pid) => sum + Processes.cpuSeconds(pid), 0),
    database: Processes.cpuSeconds(database),
    generator: (system + user) / 1e6
  }
}

const verifySignatures = (jwks: string, tokens: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const keys = createLocalJWKSet(await (await fetch(jwks)).json() as JSONWebKeySet)
    for (const token of tokens) await jwtVerify(token, keys, { typ: "at+jwt" })
  })
