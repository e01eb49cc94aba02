import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { builtInFile } from "../../../src/domain/catalogue/BuiltIn.ts"
import { hashOf } from "../../../src/domain/catalogue/file/CatalogueHash.ts"
import { write } from "../../../src/domain/catalogue/file/WriteCatalogue.ts"
import { changed, small } from "../../domain/catalogue/file/SmallCatalogue.ts"
import { slotkey } from "../../support/Cli.ts"
import { temporaryFolder } from "../../support/TestDatabase.ts"

const fileWith = (content: string) =>
  Effect.map(temporaryFolder, (folder) => {
    const file = join(folder, "crm.json")
    writeFileSync(file, content)
    return file
  })

describe("slotkey catalogue check", () => {
  it.live("says how much is in a usable file, and what is probably not meant", () =>
    Effect.gen(function*() {
      const file = yield* fileWith(write({ ...small, operations: small.operations.slice(0, 3) }))
      const { code, stderr, stdout } = yield* slotkey(["catalogue", "check", file])
      assert.deepStrictEqual([code, stderr], [0, ""])
      const [first = "", ...more] = stdout.trimEnd().split("\n")
      assert.isTrue(first.startsWith(`${file} can be used: 4 scopes, 3 operations, hash `), first)
      assert.deepStrictEqual(more, ["  warning: line 28, scopes[3]: no operation needs \"members\""])
    }))

  it.live("says all that is wrong, and fails", () =>
    Effect.gen(function*() {
      const file = yield* fileWith(JSON.stringify(changed({ "scopes.0.level": "me", "profile.scope": "a" }), null, 1))
      const { code, stderr, stdout } = yield* slotkey(["catalogue", "check", file])
      assert.strictEqual(code, 2)
      assert.deepStrictEqual(stdout.trimEnd().split("\n"), [
        `${file} has 2 problems:`,
        "  line 24, scopes[0].level: \"me\" is no level here.",
        "  line 56, profile.scope: \"a\" is no scope here."
      ])
      assert.strictEqual(stderr, "The catalogue cannot be used.\n")
      const json = yield* slotkey(["catalogue", "check", file, "--json"])
      assert.deepInclude(JSON.parse(json.stdout), {
        file,
        hash: null,
        problems: [
          { line: 24, place: "scopes[0].level", problem: "\"me\" is no level here." },
          { line: 56, place: "profile.scope", problem: "\"a\" is no scope here." }
        ]
      })
      assert.strictEqual(JSON.parse(json.stderr).error.code, "catalogue_unusable")
    }))

  it.live("says that a file cannot be read", () =>
    Effect.gen(function*() {
      const { code, stdout } = yield* slotkey(["catalogue", "check", "/nowhere/crm.json"])
      assert.deepStrictEqual([code, stdout], [
        2,
        "/nowhere/crm.json has 1 problem:\n  The file cannot be read: ENOENT.\n"
      ])
      const folder = yield* slotkey(["catalogue", "check", yield* temporaryFolder])
      assert.include(folder.stdout, "The file cannot be read: EISDIR.")
    }))

  it.live("takes the built-in catalogue without a file, and the one of CATALOGUE if there is one", () =>
    Effect.gen(function*() {
      const { stdout } = yield* slotkey(["catalogue", "check"])
      assert.include(
        stdout,
        `The built-in catalogue can be used: 46 scopes, 363 operations, hash ${hashOf(builtInFile())}`
      )
      const file = yield* fileWith(write(small))
      const other = yield* slotkey(["catalogue", "check", "--json"], { env: { CATALOGUE: file } })
      assert.deepInclude(JSON.parse(other.stdout), { file, hash: hashOf(small), scopes: 4, operations: 5 })
    }))
})

describe("slotkey catalogue show", () => {
  it.live("prints the catalogue in force as a file that can be loaded again", () =>
    Effect.gen(function*() {
      const { stdout } = yield* slotkey(["catalogue", "show"])
      const file = yield* fileWith(stdout)
      assert.include(stdout, "\"$schema\": \"./node_modules/slotkey/catalogue.schema.json\"")
      const again = yield* slotkey(["catalogue", "show"], { env: { CATALOGUE: file } })
      assert.strictEqual(again.stdout, stdout)
      const { stdout: checked } = yield* slotkey(["catalogue", "check", file, "--json"])
      assert.strictEqual(JSON.parse(checked).hash, hashOf(builtInFile()))
      const json = yield* slotkey(["catalogue", "show", "--json"])
      assert.deepStrictEqual(JSON.parse(json.stdout), JSON.parse(readFileSync(file, "utf8")))
    }))

  it.live("shows none that cannot be used", () =>
    Effect.gen(function*() {
      const file = yield* fileWith("{}")
      const { code, stderr, stdout } = yield* slotkey(["catalogue", "show"], { env: { CATALOGUE: file } })
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.isTrue(stderr.startsWith(`${file} is not usable:\n  line 1, format: is required\n`), stderr)
    }))
})
