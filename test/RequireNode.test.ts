import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import lock from "../package-lock.json" with { type: "json" }
import packageJson from "../package.json" with { type: "json" }

/** Runs a script of package.json up to its first file, on a Node that takes itself for the version. */
const start = (script: string, version: string) => {
  const [command, guard = "", ...rest] = script.split(" ")
  assert.isAbove(rest.length, 0)
  assert.strictEqual(command, "node")
  return run([guard, "--eval", ""], version)
}

const run = (args: ReadonlyArray<string>, version: string) => {
  const folder = mkdtempSync(join(tmpdir(), "slotkey-node-"))
  const pretend = join(folder, "pretend.cjs")
  writeFileSync(
    pretend,
    `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })
     Object.defineProperty(process, "version", { value: "v${version}" })`
  )
  const { status, stderr } = spawnSync(process.execPath, [`--require=${pretend}`, ...args], { encoding: "utf8" })
  rmSync(folder, { recursive: true })
  return { status, stderr }
}

const refusal = /^Slotkey needs Node 24, and this is v20\.20\.2\. .*`npm ci --include=dev --ignore-scripts=false`.*\n$/

it("The package brings no Node: the scripts of a project that installs it run on its own", () => {
  const { dependencies, optionalDependencies, peerDependencies } = packageJson
  const installed = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  assert.notInclude(installed, "node")
})

it("A checkout without development dependencies has neither a second Node nor a compiler", () => {
  const kept = Object.entries(lock.packages).filter(([, one]) => !("dev" in one)).map(([path]) => path)
  assert.include(kept, "node_modules/effect")
  assert.deepStrictEqual(
    kept.filter((path) => /node_modules\/(?:node(?:-bin.*)?|typescript|@typescript\/.*)$/.test(path)),
    []
  )
})

describe("A Node that is too old", () => {
  const { dev, slotkey, start: server, "start:workers": workers, test } = packageJson.scripts
  it.each([dev, server, slotkey, test, workers])("is named in one line, with the remedy: %s", (script) => {
    const { status, stderr } = start(script, "20.20.2")
    assert.strictEqual(status, 1)
    assert.match(stderr, refusal)
    assert.deepStrictEqual(start(script, "24.0.0"), { status: 0, stderr: "" })
  })
  it("is named by the command of the package, too", () => {
    const { status, stderr } = run(["src/bin.cjs"], "20.20.2")
    assert.strictEqual(status, 1)
    assert.match(stderr, refusal)
  })
})
