import { execFile } from "node:child_process"
import { copyFileSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import { promisify } from "node:util"

// The projects in examples are for teams to copy, so they must work without this repository. pnpm installs them, because what a
// project did not name in its own package.json is not there for it; npm installs the package in `check.ts`.

const examples = resolve(import.meta.dirname, "../examples")
const pnpm = "pnpm@10.34.9"

/** Milliseconds for a command, on a machine that has other things to do as well. */
const patience = 300_000

/** Installs the examples from the tarball in an empty folder, checks their types and runs their tests; rejects if one fails. */
export const runExamples = async (tarball: string): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "slotkey-examples-"))
  try {
    const projects = readdirSync(examples).filter((name) => existsSync(join(examples, name, "package.json")))
    for (const project of projects) {
      const isOwn = (path: string) => !path.includes("node_modules")
      cpSync(join(examples, project), join(folder, project), { recursive: true, filter: isOwn })
    }
    copyFileSync(tarball, join(folder, basename(tarball)))
    // One workspace, so that what they share is unpacked once.
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "examples", private: true }))
    writeFileSync(join(folder, "pnpm-workspace.yaml"), workspace(basename(tarball)))
    await run(folder, patience, "npx", "--yes", pnpm, "install", "--prefer-offline", "--no-frozen-lockfile")
    const waiting = [...projects]
    const lane = async () => {
      for (let project = waiting.shift(); project !== undefined; project = waiting.shift()) {
        const started = performance.now()
        await run(join(folder, project), patience, "npm", "run", "--silent", "--if-present", "check")
        await run(join(folder, project), patience, "npm", "run", "--silent", "test")
        const seconds = Math.round((performance.now() - started) / 1_000)
        process.stdout.write(`examples/${project}: types and tests in ${seconds} s\n`)
      }
    }
    await Promise.all([lane(), lane()])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Scripts of dependencies are not run: what they build is optional. */
const workspace = (tarball: string) =>
  JSON.stringify({
    packages: ["*"],
    overrides: { slotkey: `file:${tarball}` },
    ignoredBuiltDependencies: ["msgpackr-extract", "node"]
  })

const run = async (cwd: string, timeout: number, command: string, ...args: ReadonlyArray<string>): Promise<void> => {
  try {
    await promisify(execFile)(command, args, { cwd, timeout, maxBuffer: 16_000_000 })
  } catch (error) {
    const { stderr, stdout } = error as { readonly stderr?: string; readonly stdout?: string }
    throw new Error(`${basename(cwd)}: ${command} ${args.join(" ")} failed\n${stdout ?? ""}\n${stderr ?? ""}`, {
      cause: error
    })
  }
}
