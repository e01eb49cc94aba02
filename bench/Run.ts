import { Effect } from "effect"
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { closedLoop, type Measured, type Source } from "./load/Load.ts"
import { TokenLoad } from "./load/TokenLoad.ts"
import type { Options } from "./Options.ts"
import type { Population } from "./Population.ts"
import type { Postgres } from "./Postgres.ts"
import * as Processes from "./Processes.ts"
import * as Profile from "./Profile.ts"
import type { System } from "./systems/System.ts"

export const operations = ["exchange", "refresh", "check"] as const
export type Operation = (typeof operations)[number]

/** One operation of one system in one round. */
export interface Result extends Measured {
  readonly system: string
  readonly operation: Operation
  /** CPU seconds within the measured time. */
  readonly cpu: { readonly server: number; readonly database: number; readonly generator: number }
  /** The most memory the server has held so far, in megabytes. */
  readonly memory: number
}

/** A server process that lives as long as the scope. */
export const start = Effect.fnUntraced(function*(system: System, databaseUrl: string, options: Options) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "slotkey-bench-server-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const port = yield* Processes.freePort
  const { args, env, file } = system.process(databaseUrl, port)
  const profile = options.profile
    ? ["--cpu-prof", `--cpu-prof-dir=${Profile.folder}`, `--cpu-prof-name=${fileName(system)}.cpuprofile`]
    : []
  const log = join(folder, "log")
  const child = yield* Processes.start({
    command: process.execPath,
    args: [...profile, file, ...args],
    env: { NODE_ENV: "production", ...env },
    log,
    signal: "SIGTERM"
  })
  yield* Processes.listening(child, port, log)
  return { pid: child.pid ?? 0, port, log }
})

/** All operations of one system, on a new database and in a new process. */
export const measure = Effect.fnUntraced(function*(postgres: Postgres, system: System, options: Options) {
  const population: Population = {
    clients: options.clients,
    users: 1000,
    codes: Math.ceil((options.seconds + options.warmUp) * codesPerSecond)
  }
  const url = yield* postgres.database(`bench_${fileName(system)}`)
  yield* system.prepare(url, population)
  const server = yield* start(system, url, options)
  const load = new TokenLoad(population)

  const results: Array<Result> = []
  const sources: Record<Operation, Source> = {
    exchange: load.exchange,
    refresh: load.refresh,
    check: load.check(distinctTokens)
  }
  for (const operation of operations) {
    const loop = (seconds: number) =>
      Effect.promise(() =>
        closedLoop({
          host: "127.0.0.1",
          port: server.port,
          connections: options.connections,
          seconds,
          source: sources[operation]
        })
      )
    yield* loop(options.warmUp)
    const before = cpu(server.pid, postgres.pid)
    const measured = yield* loop(options.seconds)
    const after = cpu(server.pid, postgres.pid)
    results.push({
      ...measured,
      system: system.name,
      operation,
      cpu: {
        server: after.server - before.server,
        database: after.database - before.database,
        generator: after.generator - before.generator
      },
      memory: Processes.peakMegabytes(server.pid)
    })
    if (operation !== "check") yield* verifySignatures(`http://127.0.0.1:${server.port}${system.jwks}`, load.sample(50))
  }
  return results
}, Effect.scoped)

const fileName = (system: System): string => system.name.replaceAll(/[^a-z]+/g, "_")

// More than any system here can spend.
const codesPerSecond = 20_000

// An API sees each token many times; the check meets so many of them in turn.
const distinctTokens = 5_000

const cpu = (server: number, database: number) => {
  const { system, user } = process.cpuUsage()
  return {
    server: Processes.cpuSeconds(server),
    database: Processes.cpuSeconds(database),
    generator: (system + user) / 1e6
  }
}

const verifySignatures = (jwks: string, tokens: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const keys = createLocalJWKSet(await (await fetch(jwks)).json() as JSONWebKeySet)
    for (const token of tokens) await jwtVerify(token, keys, { typ: "at+jwt" })
  })
