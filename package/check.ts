import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { installExamples, runExample } from "./examples.ts"
import { interruptAll, run } from "./program.ts"
import * as Team from "./team.ts"
import * as Types from "./types.ts"

// Packs the package, installs it into empty folders as teams would, with npm and with pnpm, and holds it there to what
// it promises: its size, its entry points in plain Node, their types under the strictest settings, the reports of them,
// the test kit, the command, and the examples.

const root = resolve(import.meta.dirname, "..")
const folder = mkdtempSync(join(tmpdir(), "slotkey-package-"))

const inFolder = (name: string): string => {
  mkdirSync(join(folder, name))
  return join(folder, name)
}

const say = (line: string) => process.stdout.write(`${line}\n`)

const fail = (message: string): never => {
  throw new Error(message)
}

const largest = 720_000

const pack = async (): Promise<string> => {
  await run({ cwd: root, command: "npm", args: ["pack", "--silent", "--pack-destination", folder] })
  const tarball = readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? fail("npm pack made no tarball")
  const { size } = statSync(join(folder, tarball))
  if (size > largest) fail(`The package has ${size} bytes, more than ${largest}`)
  say(`${tarball}: ${Math.round(size / 1_000)} kB`)
  return join(folder, tarball)
}

const checkReports = async () => {
  const args = [join(import.meta.dirname, "api.ts"), inFolder("reports")]
  say((await run({ cwd: root, command: process.execPath, args })).trim())
}

/**
 * Does tasks at the same time, two of them, which is as many as a small machine has cores, until the first one fails.
 */
const inLanes = async (tasks: ReadonlyArray<() => Promise<void>>) => {
  const waiting = tasks.values()
  const lane = async () => {
    for (const task of waiting) await task()
  }
  await Promise.all([lane(), lane()]).catch((failure) => {
    interruptAll()
    throw failure
  })
}

try {
  const installingNode = Team.installOldestNode(inFolder("oldest-node"))
  // Only the first failure is reported.
  installingNode.catch(() => {})
  const tarball = await pack()
  const [team, examples, small] = [inFolder("team"), inFolder("examples"), inFolder("small")]
  const [oldestNode, projects] = await Promise.all([
    installingNode,
    installExamples(examples, tarball),
    Team.install(team, tarball)
  ])
  say(await Team.load(team))
  await inLanes([
    async () => {
      await Team.useTestKit(team, oldestNode)
      await Team.runVitest(team)
    },
    checkReports,
    ...projects.map((project) => () => runExample(examples, project)),
    async () => {
      await Team.loadAsBrowser(team)
      await Team.loadWithoutOptional(small, tarball)
      await Team.bundleLibrary(team)
      await Team.load(team, oldestNode)
      await Team.refuseOlderNode(team, oldestNode)
      await Team.serve(team)
      await Team.serveTests(team)
    },
    async () => {
      await Types.checkTypes(team)
      await Types.checkBrowserTypes(team)
      await Types.checkDeclarations(team)
      await Types.checkRegistration(team)
    }
  ])
} finally {
  rmSync(folder, { recursive: true, force: true })
}
