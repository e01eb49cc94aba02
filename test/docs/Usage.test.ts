import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import packageJson from "../../package.json" with { type: "json" }
import { project } from "../deploy/Dockerfile.ts"

const scripts: Readonly<Record<string, string>> = packageJson.scripts

/** Programs of developers that take flags, with one that each has. */
const programs = [
  { command: "npm run bench", flag: "--rounds" },
  { command: "npm run bench:kit", flag: "--package" },
  { command: "npm run faults", flag: "--only" },
  { command: "npm run fuzz", flag: "--seed" },
  { command: "node bench/embedded.ts", flag: "--starts" }
]

const run = (command: string, ...args: ReadonlyArray<string>) =>
  new Promise<{ readonly code: number | null; readonly output: string; readonly errors: string }>((resolve) => {
    const script = scripts[command.replace("npm run ", "")] ?? command
    const child = spawn(process.execPath, [...script.split(" ").slice(1), ...args], { cwd: project })
    let [output, errors] = ["", ""]
    child.stdout.on("data", (chunk) => output += chunk)
    child.stderr.on("data", (chunk) => errors += chunk)
    child.on("close", (code) => resolve({ code, output, errors }))
  })

describe("A program of developers", () => {
  it.each(programs)("says how it is called: $command --help", { timeout: 60_000 }, async ({ command, flag }) => {
    const { code, errors, output } = await run(command, "--help")
    assert.deepStrictEqual([code, errors], [0, ""])
    assert.include(output.split("\n")[0], `Usage: ${command}`)
    assert.include(output, `[${flag} `)
    const [, page = ""] = /\b(\w+\/README\.md)\b/.exec(output) ?? []
    assert.isTrue(existsSync(join(project, page)), page)
  })

  it("says so where it does not know a flag or a word, too", { timeout: 60_000 }, async () => {
    const { output: usage } = await run("npm run bench:kit", "--help")
    for (
      const [word, says] of [["--hepl", "Unknown option '--hepl'"], ["nonsense", "Unknown word 'nonsense'"]] as const
    ) {
      const { code, errors, output } = await run("npm run bench:kit", word)
      assert.deepStrictEqual([code, output, errors], [2, "", `${says}\n${usage}`])
    }
  })
})
