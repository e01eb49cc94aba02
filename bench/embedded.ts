// @effect-diagnostics strictEffectProvide:off
import { NodeRuntime } from "@effect/platform-node"
import { Console, Duration, Effect, Layer } from "effect"
import { cpus } from "node:os"
import { join } from "node:path"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import * as Database from "../src/foundation/database/Database.ts"
import * as Flags from "../test/support/Flags.ts"
import { start, type Started, temporaryFolder } from "./EmbeddedServer.ts"
import { closedLoop, type Source } from "./load/Load.ts"
import { TokenLoad } from "./load/TokenLoad.ts"
import type { Population } from "./Population.ts"
import * as Processes from "./Processes.ts"
import { seed } from "./systems/Slotkey.ts"

// What an embedded server takes: the time of its starts, its memory, and its processor when nobody asks it anything.
// Then it is used lightly for an hour: `node bench/embedded.ts [--starts 5] [--seconds 3600] [--quick]`.
const { values } = Flags.read({
  command: "node bench/embedded.ts",
  page: "bench/README.md",
  options: { starts: { type: "string" }, seconds: { type: "string" }, quick: { type: "boolean", default: false } }
})
const starts = Flags.positive("starts", values.starts ?? (values.quick ? "3" : "5"))
const seconds = Flags.positive("seconds", values.seconds ?? (values.quick ? "60" : "3600"))
const idleSeconds = values.quick ? 20 : 120

// So few grants that each is refreshed, one every ten seconds, before its access token expires after half an hour.
const population: Population = { clients: 5, users: 50, codes: 100 }

const report = (name: string, runs: ReadonlyArray<Started>) =>
  Console.log(
    `${name}: first answer after ${median(runs, "millis").toFixed(0)} ms (${
      median(runs, "cpu").toFixed(1)
    } s of CPU), ` +
      `${median(runs, "memory").toFixed(0)} MB, ${median(runs, "peak").toFixed(0)} MB at the peak; ` +
      `median of ${runs.length}`
  )

const median = (runs: ReadonlyArray<Started>, figure: "millis" | "cpu" | "memory" | "peak") =>
  runs.map((run) => run[figure]).toSorted((a, b) => a - b)[Math.floor(runs.length / 2)] ?? 0

const times = (run: Effect.Effect<Started, Processes.ProcessError>) =>
  Effect.forEach(Array.from({ length: starts }), () => run)

/** Each second a call of the API, every ten seconds tokens, a page and the operator's figures. */
const lightUse = Effect.fnUntraced(function*({ address, metrics, port }: Started) {
  const load = new TokenLoad(population)
  const failures = new Map<string, number>()
  const ask = async (source: Source) => {
    let left = 1
    const once: Source = () => left-- > 0 ? source() : undefined
    const measured = await closedLoop({ ports: [port], connections: 1, seconds: 30, source: once })
    for (const [failure, n] of measured.failures) failures.set(failure, (failures.get(failure) ?? 0) + n)
  }
  const get = async (url: string) => {
    const response = await fetch(url)
    await response.text()
    if (!response.ok) failures.set(`${url}: ${response.status}`, (failures.get(`${url}: ${response.status}`) ?? 0) + 1)
  }
  for (let second = 0; second < seconds; second++) {
    yield* Effect.promise(async () => {
      if (second % 10 === 0) {
        for (const source of [load.exchange, load.refresh]) await ask(source)
        for (const url of [address, `${address}/sign-in`, metrics]) await get(url)
      }
      await ask(load.check(100))
      await ask(load.gateway(100))
    })
    yield* Effect.sleep("1 second")
  }
  return failures
})

const bench = Effect.gen(function*() {
  yield* Console.log(`${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.version}`)

  // The engine keeps what it has compiled for the next start. After the installation there is nothing yet.
  const compiling = { NODE_DISABLE_COMPILE_CACHE: "1" }
  const first = Effect.scoped(Effect.flatMap(temporaryFolder, (folder) => start(folder, compiling)))
  yield* report("first start", yield* times(first))

  const folder = yield* temporaryFolder
  const settings = AppConfig.layerTest({ DATA_DIR: join(folder, "data"), REQUEST_TIMEOUT: "5 minutes" })
  yield* Effect.provide(seed(population), Layer.provide(Database.layer, settings))
  yield* Effect.scoped(start(folder))
  yield* report("later start", yield* times(Effect.scoped(start(folder))))

  const server = yield* start(folder)
  yield* Effect.sleep("10 seconds")
  const before = Processes.cpuSeconds(server.pid)
  yield* Effect.sleep(Duration.seconds(idleSeconds))
  const share = (Processes.cpuSeconds(server.pid) - before) / idleSeconds
  yield* Console.log(`idle: ${(share * 100).toFixed(1)} % of a core over ${idleSeconds} s`)

  const failures = yield* lightUse(server)
  yield* Console.log(
    `light use for ${seconds} s: ${Processes.residentMegabytes(server.pid).toFixed(0)} MB, ` +
      `${Processes.peakMegabytes(server.pid).toFixed(0)} MB at the peak, failures: ${
        JSON.stringify([...failures].slice(0, 5))
      }${failures.size > 5 ? ` and ${failures.size - 5} more` : ""}`
  )
})

bench.pipe(Effect.scoped, NodeRuntime.runMain)
