import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { builtInFile } from "../../src/domain/catalogue/BuiltIn.ts"
import { hashOf } from "../../src/domain/catalogue/file/CatalogueHash.ts"
import { temporaryFolder } from "../support/TestDatabase.ts"

const root = resolve(import.meta.dirname, "../..")
const page = readFileSync(join(root, "docs/catalogue.md"), "utf8")

/** Block of code between the comments of this name. */
const block = (name: string): string => {
  const [, text] = new RegExp(`<!-- ${name} -->\n\`\`\`\\w+\n([^]*?)\`\`\`\n<!-- /${name} -->`).exec(page) ?? []
  return text ?? assert.fail(name)
}

/** Folder with the example, and a shell in it for which `slotkey` is the command. */
const workplace = Effect.map(temporaryFolder, (folder) => {
  const command = join(folder, "bin/slotkey")
  mkdirSync(join(folder, "bin"))
  const program = [process.execPath, `--require=${root}/src/start.cjs`, `${root}/src/cli.ts`]
  writeFileSync(command, `#!/bin/sh\nexec ${program.join(" ")} "$@"\n`)
  chmodSync(command, 0o755)
  const path = join(folder, "slotkey.catalogue.json")
  writeFileSync(path, block("example"))
  const env = { PATH: `${join(folder, "bin")}:${process.env["PATH"]}` }
  return { path, run: (script: string) => spawnSync("sh", ["-c", script], { cwd: folder, env, encoding: "utf8" }) }
})

describe("docs/catalogue.md", () => {
  it.live("has an example that can be used as it stands, and a command that says so", () =>
    Effect.gen(function*() {
      const { run } = yield* workplace
      const { status, stderr, stdout } = run(block("check"))
      assert.deepStrictEqual([status, stderr], [0, ""])
      assert.match(stdout, /^slotkey\.catalogue\.json can be used: 4 scopes, 7 operations, hash [\w-]{43}\n$/)
    }))

  it.live("shows what is said of a file that cannot", () =>
    Effect.gen(function*() {
      const { path, run } = yield* workplace
      const broken = block("example")
        .replace("\"implies\": [\"contacts.read\"]", "\"implies\": [\"contact.read\"]")
        .replace(
          "{id}\", \"access\": \"scope\", \"scope\": \"contacts.write\"",
          "{id}\", \"acess\": \"scope\", \"scope\": \"contacts.write\""
        )
      writeFileSync(path, broken)
      const { status, stdout } = run(block("check"))
      assert.deepStrictEqual([status, stdout], [2, block("report")])
    }))

  it.live("has the names of the example declared for the compiler", () =>
    Effect.gen(function*() {
      const { path, run } = yield* workplace
      assert.strictEqual(run(block("types")).status, 0)
      const declared = readFileSync(join(path, "../slotkey.d.ts"), "utf8")
      assert.include(
        declared,
        `declare module "slotkey" {
  interface Register {
    catalogue: {
      scope:
        | "account.read"
        | "contacts.read"
        | "contacts.write"
        | "workspace.members"
    }
  }
}`
      )
    }))

  it.live("begins with the built-in one by a command", () =>
    Effect.gen(function*() {
      const { run } = yield* workplace
      const shown = block("show").split("\n").map((line) => run(line))
      assert.deepStrictEqual(shown.map(({ status }) => status), shown.map(() => 0))
      assert.include(run(block("check")).stdout, `46 scopes, 363 operations, hash ${hashOf(builtInFile())}`)
    }))

  it.live("begins with an OpenAPI document by a command, adds to it by another, and has a CI compare them", () =>
    Effect.gen(function*() {
      const { path, run } = yield* workplace
      rmSync(path)
      copyFileSync(join(root, "examples/crm/openapi.yaml"), join(path, "../openapi.yaml"))
      const imported = run(block("import"))
      assert.deepStrictEqual([imported.status, imported.stderr], [0, ""])
      assert.match(imported.stdout, /slotkey\.catalogue\.json can be used: 12 scopes, 40 operations,/)
      const updated = run(block("update"))
      assert.deepStrictEqual([updated.status, updated.stderr], [0, ""])
      const document = "The document has 40 operations and 12 scopes.\n"
      assert.strictEqual(updated.stdout, document + document)
    }))
})
