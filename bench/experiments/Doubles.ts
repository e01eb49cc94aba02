import { Console, Effect } from "effect"
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import manifest from "../../package.json" with { type: "json" }
import type { Options } from "../Options.ts"
import type { Postgres } from "../Postgres.ts"
import { ProcessError } from "../Processes.ts"
import { median } from "../Report.ts"

/**
 * Test kit beside other servers that teams test with: the same suite with each, in a process of its own. All of them,
 * the kit included, are installed from packages into a folder. The table goes into docs/testing.md with
 * `UPDATE_DOCS=1`.
 */
export const doubles = Effect.fnUntraced(function*(_: Postgres, options: Options) {
  const quick = options.seconds === 1
  const folder = yield* Effect.try({
    try: () => install(quick),
    catch: (error) => new ProcessError({ message: `The doubles could not be installed: ${String(error)}` })
  })
  const [first, later] = [new Map<string, Array<Measured>>(), new Map<string, Array<Measured>>()]
  for (let round = 0; round < options.rounds; round++) {
    for (const name of Object.keys(systems).filter((name) => name.includes(options.only))) {
      // What a double keeps for its next start is in folders that the first start of each round finds empty.
      rmSync(join(folder, "node_modules/.cache"), { recursive: true, force: true })
      const kept = mkdtempSync(join(folder, "kept-"))
      for (const runs of [first, later]) {
        const measured = yield* Effect.try({
          try: () => measure(folder, kept, name),
          catch: (error) => new ProcessError({ message: `${name}: ${String(error)}` })
        })
        runs.set(name, [...runs.get(name) ?? [], measured])
        yield* Console.log(
          `${name}: ready after ${measured.ready.toFixed(0)} ms (imports ${measured.imported.toFixed(0)}, CPU ${
            measured.cpu.toFixed(0)
          }), ` +
            `next ${measured.next.toFixed(0)}, suite ${measured.suite.toFixed(0)}, ` +
            `${measured.resident.toFixed(0)} MB (at most ${measured.peak.toFixed(0)})`
        )
      }
      rmSync(kept, { recursive: true, force: true })
    }
  }
  const text = table(first, later)
  yield* Console.log(
    `\nmedians of ${options.rounds}, load ${loadavg().map((load) => load.toFixed(1)).join(", ")}\n${text}`
  )
  if (process.env["UPDATE_DOCS"] === "1") yield* Effect.sync(() => writeIntoDocs(text))
})

/** Doubles, as the table calls them; the last two are what the kit's memory is made of. */
const systems = {
  "slotkey": `\`slotkey/testing\` ${manifest.version}`,
  "oauth2-mock-server": "oauth2-mock-server 9.3.0",
  "oidc-provider": `oidc-provider ${manifest.devDependencies["oidc-provider"]}`,
  "better-auth": "better-auth 1.7.5",
  "pglite": `bare PGlite ${manifest.optionalDependencies["@electric-sql/pglite"]}`,
  "nothing": `bare Node ${process.version}`
}

/**
 * What is installed beside the kit. The OAuth provider of better-auth names versions of its peers exactly, older ones
 * than those that our own tests use, so it cannot be among the development dependencies.
 */
const dependencies = {
  "oauth2-mock-server": "9.3.0",
  "oidc-provider": manifest.devDependencies["oidc-provider"],
  "better-auth": "1.7.5",
  "@better-auth/oauth-provider": "1.7.5",
  "@better-auth/core": "1.7.5",
  "@better-auth/utils": "0.4.2",
  "@better-fetch/fetch": "1.3.2",
  "better-call": "1.4.0",
  "@electric-sql/pglite": manifest.optionalDependencies["@electric-sql/pglite"],
  "jose": manifest.dependencies["jose"]
}

const root = resolve(import.meta.dirname, "../..")
const programs = join(root, "bench/doubles")

/** Packs the kit and installs all; a quick run takes what the run before has installed. */
const install = (quick: boolean): string => {
  const folder = join(tmpdir(), "slotkey-doubles")
  const installed = join(folder, "installed")
  if (!quick || !existsSync(installed)) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root, stdio: "ignore" })
    const kit = readdirSync(folder).find((file) => file.endsWith(".tgz"))
    const team = { private: true, type: "module", dependencies: { ...dependencies, slotkey: `file:./${kit}` } }
    writeFileSync(join(folder, "package.json"), JSON.stringify(team))
    execFileSync("npm", ["install", "--silent", "--prefer-offline", "--no-audit", "--no-fund"], { cwd: folder })
    writeFileSync(installed, "")
  }
  cpSync(programs, folder, { recursive: true })
  return folder
}

interface Measured {
  /** Milliseconds from the start of the process until the double is loaded, and until it can be asked. */
  readonly imported: number
  readonly ready: number
  /** Milliseconds of processors until then, of which a busy machine gives late. */
  readonly cpu: number
  readonly suite: number
  /** Milliseconds of the next start in the same process, and until the next test finds it empty. */
  readonly next: number
  readonly empty: number
  /** Megabytes after the suite, and the most until then. */
  readonly resident: number
  readonly peak: number
  /** Why a case of the suite did not come out, or nothing. */
  readonly outcomes: Readonly<Record<string, string>>
}

const measure = (folder: string, kept: string, name: string): Measured => {
  const output = execFileSync(process.execPath, ["measure.mjs", name], {
    cwd: folder,
    env: { ...process.env, TMPDIR: kept, XDG_CACHE_HOME: kept, NODE_ENV: "test" },
    encoding: "utf8",
    stdio: "pipe",
    timeout: 180_000
  })
  return JSON.parse(output.trim().split("\n").at(-1) ?? "")
}

const table = (first: ReadonlyMap<string, ReadonlyArray<Measured>>, later: typeof first): string => {
  const header = [
    "double",
    "lines of test code",
    "first start (CPU)",
    "later start (CPU)",
    "next in the process",
    "empty for the next test",
    "the suite",
    "memory (peak)",
    "what it can't show"
  ]
  const rows = [...later].map(([name, runs]) => {
    const of = (all: ReadonlyArray<Measured>, figure: Exclude<keyof Measured, "outcomes">) =>
      median(all.map((run) => run[figure]))
    const time = (all: ReadonlyArray<Measured>, figure: Exclude<keyof Measured, "outcomes">) =>
      `${of(all, figure).toFixed(0)} ms`
    const memory = `${of(runs, "resident").toFixed(0)} (${of(runs, "peak").toFixed(0)}) MB`
    const starts = [first.get(name) ?? runs, runs].map((all) => `${time(all, "ready")} (${of(all, "cpu").toFixed(0)})`)
    const title = Object.entries(systems).find(([key]) => key === name)?.[1] ?? name
    if (!existsSync(join(programs, `${name}.mjs`))) {
      return [title, "", ...starts, time(runs, "next"), "", "", memory, ""]
    }
    const missing = new Set(
      runs.flatMap(({ outcomes }) => Object.entries(outcomes).flatMap(([test, why]) => why === "" ? [] : [test]))
    )
    return [
      title,
      String(lines(readFileSync(join(programs, `${name}.mjs`), "utf8"))),
      ...starts,
      time(runs, "next"),
      time(runs, "empty"),
      time(runs, "suite"),
      memory,
      [...missing].join("; ")
    ]
  })
  return [header, header.map((_, column) => column === 0 || column === 8 ? "---" : "--:"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`).join("\n")
}

/** Lines that are neither blank nor only a comment. */
const lines = (code: string): number => code.split("\n").filter((line) => !/^\s*(?:$|\/\/|\/?\*)/.test(line)).length

const writeIntoDocs = (text: string) => {
  const page = join(root, "docs/testing.md")
  const current = readFileSync(page, "utf8")
  writeFileSync(
    page,
    current.replace(/(<!-- doubles -->).*(?=<!-- \/doubles -->)/s, (_, start) => `${start}\n${text}\n`)
  )
}
