import { execFileSync } from "node:child_process"
import { cpus, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { positive } from "../test/support/Flags.ts"

// What the test kit takes, each run in a process of its own: `npm run bench:kit -- [--runs 5] [--package FOLDER]`. FOLDER is one
// where the package is installed; without it this checkout is measured. The rows are medians, as docs/testing.md shows them.
const { values } = parseArgs({ options: { runs: { type: "string", default: "5" }, package: { type: "string" } } })
const runs = positive("runs", values.runs)
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
  const memory = () => figures["memory, MB"] = process.memoryUsage.rss() / 1e6`

const kitScript = `${preamble}
  const { start } = await timed("imports", () => import(${JSON.stringify(kit)}))
  const first = await timed("start", start)
  await first.tokens()
  await timed("reset", first.reset)
  memory()
  const second = await timed("next start", start)
  await Promise.all([first.stop(), second.stop()])
  console.log(JSON.stringify(figures))`

const bareScript = `${preamble}
  const { PGlite } = await timed("imports", () => import("@electric-sql/pglite"))
  const database = await timed("start", () => PGlite.create())
  memory()
  await database.close()
  console.log(JSON.stringify(figures))`

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

say(`${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.version}; ms, medians of ${runs}`)
// What was compiled is kept for later processes, as the command of the package does.
const warm = { NODE_COMPILE_CACHE: join(tmpdir(), "slotkey-bench-compiled") }
run(kitScript, warm)
report("bare PGlite", times(bareScript, warm))
report("the test kit, first", times(kitScript, { NODE_DISABLE_COMPILE_CACHE: "1" }))
report("the test kit, warm", times(kitScript, warm))
