import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import * as Flags from "../test/support/Flags.ts"

// What the test kit takes, each run in a process of its own: `npm run bench:kit -- [--runs 5] [--package FOLDER]`.
// FOLDER is one where the package is installed, whose images of an empty database are deleted; without it this checkout
// is measured. The rows are medians, as docs/testing.md shows them. A start lasts from the call until a request is
// answered; `ready` counts from the start of the process.
const { values } = Flags.read({
  command: "npm run bench:kit --",
  page: "bench/README.md",
  options: { runs: { type: "string", default: "5" }, package: { type: "string" } }
})
const runs = Flags.positive("runs", values.runs)
const root = resolve(import.meta.dirname, "..")
const folder = resolve(values.package ?? root)
const kit = values.package === undefined ? join(root, "src/testing.ts") : "slotkey/testing"

const preamble = `
  const figures = {}
  const timed = async (name, run) => {
    const cpu = process.cpuUsage(), from = performance.now()
    const value = await run()
    const { system, user } = process.cpuUsage(cpu)
    figures[name] = performance.now() - from
    figures[name + " (CPU)"] = (user + system) / 1000
    return value
  }
  const ready = () => {
    const { system, user } = process.cpuUsage()
    figures.ready = performance.now()
    figures["ready (CPU)"] = (user + system) / 1000
  }
  const memory = () => {
    figures["memory, MB"] = process.memoryUsage.rss() / 1e6
    figures["peak, MB"] = process.resourceUsage().maxRSS / 1e3
  }`

const kitScript = `${preamble}
  const { start } = await timed("imports", () => import(${JSON.stringify(kit)}))
  const ask = async (server) => (await server.fetch("/.well-known/oauth-authorization-server")).text()
  const startAndAsk = async () => {
    const server = await start()
    await ask(server)
    return server
  }
  const first = await timed("start", startAndAsk)
  ready()
  await first.tokens()
  await timed("first reset", first.reset)
  await first.tokens()
  await timed("reset", first.reset)
  memory()
  const second = await timed("next start", startAndAsk)
  await second.tokens()
  await Promise.all([first.stop(), second.stop()])
  console.log(JSON.stringify(figures))`

const bareScript = (options: string) =>
  `${preamble}
  import { openAsBlob } from "node:fs"
  const { PGlite } = await timed("imports", () => import("@electric-sql/pglite"))
  const database = await timed("start", async () => PGlite.create(${options}))
  ready()
  memory()
  await database.close()
  console.log(JSON.stringify(figures))`

const dumpScript = (file: string) =>
  `import { writeFileSync } from "node:fs"
  import { PGlite } from "@electric-sql/pglite"
  const database = await PGlite.create()
  writeFileSync(${JSON.stringify(file)}, await (await database.dumpDataDir("none")).bytes())
  console.log("{}")`

type Figures = Readonly<Record<string, number>>

const run = (script: string, env: Readonly<Record<string, string>> = {}): Figures =>
  JSON.parse(execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, ...env }
  }))

const median = (all: ReadonlyArray<Figures>, name: string) =>
  all.map((figures) => figures[name] ?? 0).toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0

const say = (line: string) => process.stdout.write(`${line}\n`)

const report = (name: string, all: ReadonlyArray<Figures>) => {
  const cells = Object.keys(all[0] ?? {}).map((figure) => `${figure} ${median(all, figure).toFixed(0)}`)
  say(`| ${name} | ${cells.join(" | ")} |`)
}

const times = (script: string, env: Readonly<Record<string, string>>) =>
  Array.from({ length: runs }, () => run(script, env))

const timesWithoutImage = () =>
  Array.from({ length: runs }, () => {
    const cache = join(folder, "node_modules/.cache/slotkey")
    for (const name of readdirSync(cache).filter((name) => name.startsWith("empty-"))) rmSync(join(cache, name))
    return run(kitScript, cold)
  })

say(`${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.version}; ms, medians of ${runs}`)
// What was compiled is kept for later processes, as the command of the package does.
const warm = { NODE_COMPILE_CACHE: join(tmpdir(), "slotkey-bench-compiled") }
const cold = { NODE_DISABLE_COMPILE_CACHE: "1" }
const scratch = mkdtempSync(join(tmpdir(), "slotkey-bench-kit-"))
try {
  const dump = join(scratch, "pglite.tar")
  run(dumpScript(dump))
  run(kitScript, warm)
  report("bare PGlite, initdb", times(bareScript(""), warm))
  report("bare PGlite, from its image", times(bareScript(`{ loadDataDir: await openAsBlob("${dump}") }`), warm))
  if (values.package !== undefined) report("the test kit, without an image", timesWithoutImage())
  report("the test kit, nothing compiled", times(kitScript, cold))
  report("the test kit, warm", times(kitScript, warm))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
