import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { run } from "./program.ts"

// The projects in examples are for teams to copy, so they must work without this repository. pnpm installs them,
// because what a project did not name in its own package.json is not there for it; npm installs the package for
// `team.ts`.

const examples = resolve(import.meta.dirname, "../examples")
const pnpm = "pnpm@10.34.9"

/** Installs the examples from the tarball in an empty folder; their names. */
export const installExamples = async (folder: string, tarball: string): Promise<ReadonlyArray<string>> => {
  const projects = readdirSync(examples).filter((name) => existsSync(join(examples, name, "package.json")))
  for (const project of projects) {
    const isOwn = (path: string) => !path.includes("node_modules")
    cpSync(join(examples, project), join(folder, project), { recursive: true, filter: isOwn })
  }
  copyFileSync(tarball, join(folder, basename(tarball)))
  // One workspace, so that what they share is unpacked once.
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "examples", private: true }))
  writeFileSync(join(folder, "pnpm-workspace.yaml"), workspace(basename(tarball)))
  const args = ["--yes", pnpm, "install", "--prefer-offline", "--no-frozen-lockfile"]
  await run({ cwd: folder, command: "npx", args })
  return projects
}

/**
 * Checks the types of an example and runs its tests, in both kinds of workers that vitest has; rejects if that fails.
 */
export const runExample = async (folder: string, project: string): Promise<void> => {
  const cwd = join(folder, project)
  await run({ cwd, command: "npm", args: ["run", "--silent", "--if-present", "check"] })
  const { scripts } = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"))
  const pools = scripts.test.startsWith("vitest") ? [["--pool=threads"], ["--pool=forks"]] : [[]]
  for (const pool of pools) await run({ cwd, command: "npm", args: ["run", "--silent", "test", "--", ...pool] })
  process.stdout.write(`examples/${project}: types and tests\n`)
}

/** Scripts of dependencies are not run: what the one builds is optional. */
const workspace = (tarball: string) =>
  JSON.stringify({
    packages: ["*"],
    overrides: { slotkey: `file:${tarball}` },
    ignoredBuiltDependencies: ["msgpackr-extract"]
  })
