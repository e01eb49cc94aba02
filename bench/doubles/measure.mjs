import { readFileSync } from "node:fs"

// Measures one double in a process of its own, which prints one line: `node measure.mjs slotkey`. `pglite` is the kit's
// database alone, and `nothing` a process that loads nothing.

const [name = ""] = process.argv.slice(2)
const megabytes = (field) =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024

const bare = {
  nothing: () => ({ stop: () => undefined }),
  pglite: async () => {
    const { PGlite } = await import("@electric-sql/pglite")
    const database = await PGlite.create()
    await database.query("SELECT 1")
    return { stop: () => database.close() }
  }
}

const { start } = bare[name] === undefined ? await import(`./${name}.mjs`) : { start: bare[name] }
const imported = performance.now()
const double = await start()
const ready = performance.now()
const { system, user } = process.cpuUsage()

const { run } = await import("./suite.mjs")
const begun = performance.now()
const outcomes = bare[name] === undefined ? await run(double) : {}
const suite = performance.now() - begun
const [resident, peak] = [megabytes("VmRSS"), megabytes("VmHWM")]
const emptied = performance.now()
await double.reset?.()
const reset = performance.now() - emptied
await double.stop()

const again = performance.now()
await (await start()).stop()
const next = performance.now() - again

// The first three are counted from the start of the process. What has no reset is started again for the next test.
const empty = double.reset === undefined ? next : reset
console.log(JSON.stringify({ imported, ready, cpu: (system + user) / 1e3, suite, next, empty, resident, peak, outcomes }))
process.exit()
