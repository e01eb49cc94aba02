// @effect-diagnostics strictEffectProvide:off
import { Console, Effect, Fiber, Layer } from "effect"
import { createHash } from "node:crypto"
import { closeSync, openSync, readFileSync, statSync, writeSync } from "node:fs"
import { join } from "node:path"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Database from "../../src/foundation/database/Database.ts"
import * as EmbeddedServer from "../EmbeddedServer.ts"
import { closedLoop, type Request, type Source } from "../load/Load.ts"
import { TokenLoad } from "../load/TokenLoad.ts"
import type { Options } from "../Options.ts"
import { userId } from "../Population.ts"
import * as Postgres from "../Postgres.ts"
import * as Processes from "../Processes.ts"
import { seed, slotkey } from "../systems/Slotkey.ts"

const population = { clients: 5, users: 1000, codes: 50 }

/**
 * Imports a file of legacy apps, each with a secret and a refresh token: into PostgreSQL, and into an embedded server
 * that answers others meanwhile. Prints how long that takes, the memory of the importing process, and how long others
 * wait.
 */
export const imports = Effect.fnUntraced(function*(postgres: Postgres.Postgres, options: Options) {
  const folder = yield* EmbeddedServer.temporaryFolder
  const file = join(folder, "apps.jsonl")
  writeLines(file, options.lines)
  yield* Console.log(`${options.lines} lines, ${(statSync(file).size / 2 ** 20).toFixed(0)} MB`)

  if ("PostgreSQL".includes(options.only)) {
    const url = yield* postgres.database("bench")
    yield* slotkey.prepare(url, population)
    yield* Console.log(`PostgreSQL: ${yield* run(file, slotkey.process(url, 0).env)}`)
  }
  if ("embedded".includes(options.only)) {
    const data = join(folder, "data")
    const settings = AppConfig.layerTest({ DATA_DIR: data, REQUEST_TIMEOUT: "5 minutes" })
    yield* Effect.provide(seed(population), Layer.provide(Database.layer, settings))
    const server = yield* EmbeddedServer.start(folder)
    const load = new TokenLoad(population)
    yield* ask(server.port, load.exchange, { isDone: () => false })
    yield* Console.log(`embedded, before: ${yield* others(server.port, load, { isDone: () => false }, 5)}`)
    const progress = { done: false, isDone: () => progress.done }
    const beside = yield* Effect.forkChild(others(server.port, load, progress, 86_400))
    const imported = yield* run(file, { DATA_DIR: data })
    progress.done = true
    yield* Console.log(`embedded: ${imported}`)
    yield* Console.log(`embedded, beside it: ${yield* Fiber.join(beside)}`)
    yield* Console.log(`embedded, afterwards: ${yield* others(server.port, load, { isDone: () => false }, 5)}`)
    yield* Console.log(`the server: ${Processes.peakMegabytes(server.pid).toFixed(0)} MB at the peak`)
  }
})

const writeLines = (file: string, lines: number) => {
  const out = openSync(file, "w")
  for (let from = 0; from < lines; from += 1000) {
    const numbers = Array.from({ length: Math.min(1000, lines - from) }, (_, n) => from + n)
    writeSync(out, numbers.map((n) => `${JSON.stringify(record(n))}\n`).join(""))
  }
  closeSync(out)
}

const record = (n: number) => ({
  client_id: `old-app-${n}`,
  owner: userId(n % population.users),
  name: `Old app ${n}`,
  redirect_uris: [`https://app-${n}.example/callback`],
  secrets: [{ secret: sha256(`secret ${n}`), algorithm: "sha256-hex" }],
  refresh_tokens: [{ token: sha256(`token ${n}`), algorithm: "sha256-hex", user: userId((n * 7) % population.users) }]
})

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

/** Runs the command; tells its time and memory. */
const run = Effect.fnUntraced(function*(file: string, env: Readonly<Record<string, string>>) {
  const log = `${file}.log`
  const began = performance.now()
  const child = yield* Processes.start({
    command: process.execPath,
    args: ["src/cli.ts", "import-legacy", file, "--apply"],
    env,
    log,
    signal: "SIGTERM"
  })
  let peak = 0
  let cpu = 0
  while (child.exitCode === null) {
    yield* Effect.sleep("50 millis")
    // The process may end at any moment.
    yield* Effect.ignore(Effect.try(() => {
      cpu = Math.max(cpu, Processes.cpuSeconds(child.pid ?? 0))
      peak = Math.max(peak, Processes.peakMegabytes(child.pid ?? 0))
    }))
  }
  const answer = readFileSync(log, "utf8").trim().split("\n").at(-1)
  if (child.exitCode !== 0) return yield* new Processes.ProcessError({ message: readFileSync(log, "utf8") })
  return `${((performance.now() - began) / 1000).toFixed(1)} s (${cpu.toFixed(1)} s of CPU), ` +
    `${peak.toFixed(0)} MB at the peak: ${answer}`
})

interface Watched {
  readonly isDone: () => boolean
}

/** Refreshes and pages one after the other, each by one client; tells the waits of either. */
const others = Effect.fnUntraced(function*(port: number, load: TokenLoad, until: Watched, seconds: number) {
  const [refreshes, pages] = yield* Effect.all([
    ask(port, load.refresh, until, seconds),
    ask(port, () => page, until, seconds)
  ], { concurrency: "unbounded" })
  return [["refresh", refreshes] as const, ["page", pages] as const].map((
    [name, { answers, failures, p50, p99, worst }]
  ) =>
    `${name} ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, longest ${worst.toFixed(0)} ms (${answers} answers` +
    `${[...failures].map(([problem, count]) => `, ${count} x ${problem}`).join("")})`
  ).join("; ")
})

const ask = (port: number, source: Source, { isDone }: Watched, seconds = 600) =>
  Effect.promise(() =>
    closedLoop({ ports: [port], connections: 1, seconds, source: () => isDone() ? undefined : source() })
  )

const page: Request = {
  bytes: "GET /sign-in HTTP/1.1\r\nHost: slotkey.test\r\n\r\n",
  faultOf: ({ status }) => status === 200 ? undefined : `status ${status}`
}
