// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { slotkey } from "../../support/Cli.ts"
import { temporaryFolder } from "../../support/TestDatabase.ts"

const crm = resolve(import.meta.dirname, "../../../examples/crm")

/** A folder with the example's document, and the command in it. */
const scene = Effect.map(temporaryFolder, (folder) => {
  const at = (name: string) => join(folder, name)
  cpSync(join(crm, "openapi.yaml"), at("openapi.yaml"))
  const change = (name: string, how: (text: string) => string) =>
    writeFileSync(at(name), how(readFileSync(at(name), "utf8")))
  const run = (name: string, ...args: ReadonlyArray<string>) =>
    Effect.map(slotkey(["catalogue", "import-openapi", at(name), ...args]), (ran) => ({
      ...ran,
      stdout: ran.stdout.replaceAll(`${folder}/`, ""),
      stderr: ran.stderr.replaceAll(`${folder}/`, "")
    }))
  return { at, change, run }
})

const oneMore = (text: string) =>
  text.replace("  /deals:\n", "  /tags:\n    get: { security: [{ orbit: [tags.read] }] }\n  /deals:\n")

describe("slotkey catalogue import-openapi", () => {
  it.effect("writes a new catalogue, and lists all that a person has to look at", () =>
    Effect.gen(function*() {
      const { at, run } = yield* scene
      const levels = ["--level", "own", "--level", "workspace=workspaceId"]
      const { code, stderr, stdout } = yield* run("openapi.yaml", "--out", at("catalogue.json"), ...levels)
      assert.deepStrictEqual([code, stderr], [0, ""])
      const lines = stdout.trimEnd().split("\n")
      assert.strictEqual(lines[0], "The document has 40 operations and 12 scopes.")
      assert.strictEqual(lines.at(-1), "Wrote catalogue.json. Look for TODO in it, then run slotkey catalogue check.")
      assert.include(lines, "To do: scope members.read: level workspace and access read are guesses")
      assert.isEmpty(lines.filter((line) => line.startsWith("Problem")))
      const text = readFileSync(at("catalogue.json"), "utf8")
      // Each comment in the file is in the list, too.
      const marks = Array.from(text.matchAll(/\/\/ TODO (.*)/g), ([, mark = ""]) => mark)
      assert.isNotEmpty(marks)
      for (const mark of marks) assert.isTrue(lines.some((line) => line.endsWith(`: ${mark}`)), mark)

      const again = yield* run("openapi.yaml", "--out", at("catalogue.json"))
      assert.deepStrictEqual([again.code, again.stdout], [2, ""])
      assert.match(again.stderr, /catalogue\.json exists or cannot be written: --update adds/)
      assert.strictEqual(readFileSync(at("catalogue.json"), "utf8"), text)
    }))

  it.effect("fails a check when the document has more than the catalogue, until an update has added it", () =>
    Effect.gen(function*() {
      const { at, change, run } = yield* scene
      cpSync(join(crm, "slotkey.catalogue.json"), at("catalogue.json"))
      const check = run("openapi.yaml", "--check", at("catalogue.json"))
      assert.deepStrictEqual(yield* check, {
        code: 0,
        stdout: "The document has 40 operations and 12 scopes.\n",
        stderr: ""
      })

      change("openapi.yaml", oneMore)
      const behind = yield* check
      assert.strictEqual(behind.code, 1)
      assert.deepStrictEqual(behind.stdout.split("\n").slice(1), ["New: scope tags.read", "New: GET /api/tags", ""])
      assert.match(behind.stderr, /^The catalogue does not say what the document says\. --update adds what is new/)

      const update = yield* run("openapi.yaml", "--update", at("catalogue.json"))
      assert.deepStrictEqual([update.code, update.stderr], [0, ""])
      assert.include(update.stdout, "New: GET /api/tags\nTo do: scopes: a title for the consent page")
      assert.strictEqual((yield* check).code, 0)
      const idle = yield* run("openapi.yaml", "--update", at("catalogue.json"), "--json")
      assert.strictEqual(JSON.parse(idle.stdout).written, null)
    }))

  it.effect("fails a check when an operation needs another scope, and prints both", () =>
    Effect.gen(function*() {
      const { at, change, run } = yield* scene
      cpSync(join(crm, "slotkey.catalogue.json"), at("catalogue.json"))
      change("openapi.yaml", (text) => text.replace("orbit: [workspace.read]", "orbit: [members.read]"))
      const { code, stderr, stdout } = yield* run("openapi.yaml", "--check", at("catalogue.json"), "--json")
      assert.strictEqual(code, 1)
      assert.strictEqual(JSON.parse(stderr).error.code, "catalogue_behind")
      assert.deepStrictEqual(JSON.parse(stdout).changed, [{
        operation: "GET /api/workspaces/{workspaceId}",
        catalogue: "workspace.read",
        document: "members.read"
      }])
    }))

  it.effect("passes a check when something is gone, and says that a scope is retired and never deleted", () =>
    Effect.gen(function*() {
      const { at, change, run } = yield* scene
      cpSync(join(crm, "slotkey.catalogue.json"), at("catalogue.json"))
      change(
        "openapi.yaml",
        (text) =>
          text.replace(/ {2}\/workspaces\/\{workspaceId\}:\n[^]*?(?= {2}\/workspaces\/\{workspaceId\}\/members:)/, "")
            .replace(/ +workspace\.read: .*\n/, "")
      )
      const before = readFileSync(at("catalogue.json"), "utf8")
      for (const flag of ["--check", "--update"]) {
        const { code, stdout } = yield* run("openapi.yaml", flag, at("catalogue.json"))
        assert.strictEqual(code, 0)
        assert.deepStrictEqual(stdout.split("\n").slice(1), [
          "Not in the document: GET /api/workspaces/{workspaceId}",
          "Not in the document: scope workspace.read. It stays: retire it with \"retired\", delete it never",
          ""
        ])
      }
      assert.strictEqual(readFileSync(at("catalogue.json"), "utf8"), before)
    }))

  it.effect.each<readonly [ReadonlyArray<string>, RegExp]>([
    [[], /Say one of --out, --update and --check/],
    [["--out", "a", "--check", "b"], /Say one of --out, --update and --check/],
    [["--update", "a", "--level", "user"], /--level goes with --out/],
    [["--out", "a", "--level", "te am"], /The level "te am" is no name/],
    [["--out", "a", "--level", "team="], /The level "team=" is no name/],
    [["--check", "none.json"], /The file none\.json cannot be read/],
    [["--update", "examples/crm/openapi.yaml"], /examples\/crm\/openapi\.yaml is not usable:\n {2}line 1: /],
    [["--out", "/none/none.json"], /\/none\/none\.json exists or cannot be written/]
  ])("refuses %j", ([args, refusal]) =>
    Effect.gen(function*() {
      const { code, stderr, stdout } = yield* slotkey([
        "catalogue",
        "import-openapi",
        join(crm, "openapi.yaml"),
        ...args
      ])
      assert.deepStrictEqual([code, stdout], [2, ""])
      assert.match(stderr, refusal)
    }))

  it.effect.each<readonly [string, string | Buffer | undefined, RegExp]>([
    ["that is not there", undefined, /cannot be read/],
    ["without a character", "", /The file is empty/],
    ["in another encoding", Buffer.from("openapi: 3.1.0\ninfo: { title: M\u00fcller }\n", "latin1"), /is not in UTF-8/],
    ["in UTF-16", Buffer.from("\ufeffopenapi: 3.1.0\n", "utf16le"), /is not in UTF-8/],
    ["of Swagger 2.0", "{\"swagger\": \"2.0\"}", /Swagger 2\.0\. Convert it/],
    ["of a picture", readFileSync(join(crm, "../../docs/screenshots/consent.png")), /is not in UTF-8/],
    ["of 30 MB", `openapi: 3.1.0\n${"# x\n".repeat(7_500_000)}`, /has more than 16777216 characters/]
  ])("refuses a file %s, and writes nothing", ([, content, refusal]) =>
    Effect.gen(function*() {
      const { at, run } = yield* scene
      if (content !== undefined) writeFileSync(at("given.yaml"), content)
      const { code, stderr, stdout } = yield* run("given.yaml", "--out", at("catalogue.json"))
      assert.deepStrictEqual([code, stdout], [2, ""])
      assert.match(stderr, refusal)
      assert.isFalse(existsSync(at("catalogue.json")))
    }))

  it.effect("prints nothing that moves the cursor of a terminal", () =>
    Effect.gen(function*() {
      const { at, run } = yield* scene
      const paths = { "/\u001b[2Ja": { get: {} }, "/b": { "\u202etrace": {} } }
      writeFileSync(at("given.json"), JSON.stringify({ openapi: "3.1.0", paths }))
      const { stdout } = yield* run("given.json", "--out", at("catalogue.json"))
      assert.notMatch(stdout, /[\u001b\u202e]/)
      assert.match(stdout, /\[2Ja/)
    }))
})
