import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { builtInFile } from "../../src/domain/catalogue/BuiltIn.ts"
import { hashOf } from "../../src/domain/catalogue/file/CatalogueHash.ts"
import { commandFolder } from "../support/CommandFolder.ts"
import { eventually } from "../support/Eventually.ts"
import { freePort } from "../support/FreePort.ts"

const root = resolve(import.meta.dirname, "../..")
const page = readFileSync(join(root, "docs/catalogue.md"), "utf8")

/** Block of code between the comments of this name. */
const block = (name: string): string => {
  const [, text] = new RegExp(`<!-- ${name} -->\n\`\`\`\\w+\n([^]*?)\`\`\`\n<!-- /${name} -->`).exec(page) ?? []
  return text ?? assert.fail(name)
}

/** The example with a scope and an operation more. */
const withNotes = block("example")
  .replace(
    "\"scopes\": [",
    `$&{"name": "notes.read", "level": "own", "access": "read", "title": "See your notes", "covers": "Lists them."},`
  )
  .replace("\"operations\": [", `$&{"method": "GET", "path": "/api/notes", "access": "scope", "scope": "notes.read"},`)

/** Commands of a section, in the order of the page. */
const commandsOf = (heading: string): ReadonlyArray<string> => {
  const [, section = ""] = new RegExp(`\n## ${heading}\n([^]*?)\n## `).exec(page) ?? []
  return Array.from(section.matchAll(/^ *```sh\n([^]*?)^ *```$/gm), ([, command = ""]) => command.trim())
}

/** Folder with the example, and a shell in it. */
const workplace = Effect.map(commandFolder, ({ folder, run }) => {
  const path = join(folder, "slotkey.catalogue.json")
  writeFileSync(path, block("example"))
  return { path, run: (script: string) => run(script) }
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

  it.live(
    "uses one by commands, and changes it while a server works",
    () =>
      Effect.gen(function*() {
        const { folder, run: inFolder, start: startIn } = yield* commandFolder
        const path = join(folder, "slotkey.catalogue.json")
        writeFileSync(path, block("example"))
        const [port, operatorPort] = [yield* freePort, yield* freePort]
        const settings = {
          PORT: String(port),
          OPERATOR_PORT: String(operatorPort),
          HOST: "127.0.0.1",
          LOG_LEVEL: "warn"
        }
        const start = (command: string) => startIn(command, settings)
        const run = (command: string) => inFolder(command, { ...settings, CATALOGUE: path })

        const [serve = "", testServer = "", types = ""] = commandsOf("Use one")
        const [plan = "", apply = "", finish = "", ...more] = commandsOf("Change one")
        assert.deepStrictEqual([`${types}\n`, more], [block("types"), []])
        const line = yield* (yield* start(testServer)).line
        assert.match(line, /^\{.*"issuer":/)

        yield* start(serve)
        const isServing = () =>
          fetch(`http://localhost:${port}/.well-known/jwks.json`).then(({ ok }) => ok, () => false)
        yield* eventually(Effect.promise(isServing))
        writeFileSync(path, withNotes)
        const planned = run(plan)
        assert.deepStrictEqual([planned.status, planned.stderr], [0, ""], planned.stdout)
        assert.include(planned.stdout, "GET /api/notes: not listed → notes.read")
        const applied = run(apply)
        assert.strictEqual(applied.status, 0, applied.stderr)
        assert.include(applied.stdout, finish)
        assert.match(run(finish).stdout, /^[\w-]{43} is in force\./)

        // The way back is the same, and is not gone to its end here.
        writeFileSync(path, block("example"))
        yield* start(apply)
        const [, withdraw = ""] = /`(slotkey catalogue withdraw)`/.exec(page) ?? []
        yield* eventually(Effect.sync(() => run(withdraw).status === 0))
      }),
    120_000
  )
})
