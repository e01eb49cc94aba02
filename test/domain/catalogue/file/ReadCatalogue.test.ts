import { assert, describe, it } from "@effect/vitest"
import { Result, Schema, Struct } from "effect"
import { builtInFile } from "../../../../src/domain/catalogue/BuiltIn.ts"
import { CatalogueFile } from "../../../../src/domain/catalogue/file/CatalogueFile.ts"
import { hashOf } from "../../../../src/domain/catalogue/file/CatalogueHash.ts"
import { largestFile, read } from "../../../../src/domain/catalogue/file/ReadCatalogue.ts"
import { write } from "../../../../src/domain/catalogue/file/WriteCatalogue.ts"
import { changed, leavesOf, small } from "./SmallCatalogue.ts"

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Lines of the message about a file. */
const complaints = (file: string | Uint8Array): ReadonlyArray<string> => {
  const found = read(typeof file === "string" ? bytesOf(file) : file, "crm.json")
  return Result.isSuccess(found) ? [] : found.failure.message.split("\n")
}

const text = write(small)
const heading = "crm.json is not usable:"

describe("reading a catalogue", () => {
  it("takes what was written, with comments and a byte order mark", () => {
    assert.deepStrictEqual(Result.getOrThrow(read(bytesOf(text), "x")).file, small)
    assert.deepStrictEqual(
      complaints(`\ufeff// Ours\n${text.replace("\"levels\"", "/* two */ \"levels\"")}\n// end`),
      []
    )
  })

  it("tells each fault with its line and place, in the order of the file", () => {
    const broken = text
      .replace("\"implies\": [\"contacts.read\"]", "\"implies\": [\"contact.read\"]")
      .replace("\"path\": \"/api/status\"", "\"path\": \"/api/account\"")
      .replace("\"access\": \"public\"", "\"access\": \"public\", \"extra\": 1")
      .replace("\"account\": \"your CRM workspace\",", "")
    assert.deepStrictEqual(complaints(broken), [
      heading,
      "  line 3, api.account: is required",
      "  line 24, scopes[2].implies[0]: \"contact.read\" is no scope here. Call it \"contacts.read\" if that is meant.",
      "  line 41, operations[4].extra: \"extra\" is no key here.",
      "  line 41, operations[4]: GET /api/account matches the same paths as operations[0] (line 37)"
    ])
  })

  it("tells them whatever the ends of lines and the layout are", () => {
    const broken = write(small).replaceAll("\n", "\r\n").replace(
      "\"GET\", \"path\": \"/api/status\"",
      "\"GOT\", \"path\": \"/api/status\""
    )
    assert.include(complaints(broken)[1], "line 41, operations[4].method: must be")
    const onOneLine = JSON.stringify(changed({ "operations.4.method": "GOT", "scopes.0.level": "" }))
    assert.deepStrictEqual(complaints(onOneLine).map((line) => line.split(":")[0]), [
      "crm.json is not usable",
      "  line 1, operations[4].method",
      "  line 1, scopes[0].level"
    ])
  })

  it("finds keys that come twice, of which JSON would keep the last", () => {
    assert.deepStrictEqual(
      complaints(text.replace("\"name\": \"members\"", "\"name\": \"a\", \"name\": \"members\"")),
      [
        heading,
        "  line 29, scopes[3].name: comes twice"
      ]
    )
    assert.deepStrictEqual(complaints(text.replace("\"format\": 1", "\"format\": 1, \"__proto__\": {}")), [
      heading,
      "  line 2, __proto__: \"__proto__\" is no key here."
    ])
  })

  it.each([
    ["", "  The file is empty."],
    [" \n\t", "  The file is empty."],
    ["\ufeff", "  The file is empty."],
    ["{", "  line 1: is not JSON: close brace expected"],
    ["{\n\"format\": 1,\n}", "  line 3: is not JSON: property name expected", "  line 3: is not JSON: value expected"],
    ["format: 1", "  line 1: is not JSON: invalid symbol", "  line 1: is not JSON: value expected"],
    ["[]", "  line 1: must be an object"],
    ["\"format\"", "  line 1: must be an object"],
    ["null", "  line 1: must be an object"],
    [`${"[".repeat(100_000)}`, "  The file is nested too deeply."],
    ["{\"format\": 2}", "  line 1, format: is 2, and this release reads format 1"]
  ])("says what %j is", (file, ...expected) => {
    assert.deepStrictEqual(complaints(file), [heading, ...expected])
  })

  it("says that other encodings are none, and that a file is too large", () => {
    const utf16 = Buffer.from(`\ufeff${text}`, "utf16le")
    const toConvert = "  The file is not in UTF-8: convert it, as with `iconv -f utf-16 -t utf-8`."
    assert.deepStrictEqual(complaints(utf16), [heading, toConvert])
    assert.deepStrictEqual(complaints(utf16.subarray(2)), [heading, toConvert])
    const latin1 = Buffer.from(text.replace("\"You\"", "\"Ü\""), "latin1")
    assert.deepStrictEqual(complaints(latin1), [
      heading,
      "  The file is not in UTF-8: convert it, as with `iconv -f latin1 -t utf-8`."
    ])
    assert.deepStrictEqual(complaints(" ".repeat(largestFile + 1)), [
      heading,
      "  The file has more than 4194304 bytes."
    ])
    assert.deepStrictEqual(complaints(text.padEnd(largestFile)), [])
  })

  it("tells the first fifty faults in the message, and has all", () => {
    const found = read(bytesOf(JSON.stringify({ ...small, operations: Array.from({ length: 200 }, () => 1) })), "x")
    assert.isTrue(Result.isFailure(found))
    if (!Result.isFailure(found)) return
    assert.lengthOf(found.failure.problems, 200)
    assert.strictEqual(found.failure.message.split("\n").length, 52)
    assert.match(found.failure.message, /\n {2}and 150 more$/)
  })
})

describe("the hash of a catalogue", () => {
  const hash = (file: unknown) => hashOf(Schema.decodeUnknownSync(CatalogueFile)(file))
  const before = hash(small)

  it("is that of its meaning: layout, order without meaning and what holds anyway do not change it", () => {
    const reversed = Object.fromEntries(Object.entries(small).reverse())
    for (
      const same of [
        reversed,
        changed({ $schema: "./x.json" }),
        changed({ operations: [...small.operations].reverse() }),
        changed({ "samples.demo": ["contacts.read", "account.read"] }),
        changed({ "scopes.0.removes": false, "levels.0.everyone": false, "scopes.0.implies": [] }),
        changed({ "scopes.0.title": { en: small.scopes[0].title } }),
        Result.getOrThrow(read(bytesOf(`// ours\n${text}`), "x")).file
      ]
    ) assert.strictEqual(hash(same), before)
    const several = (key: string, names: ReadonlyArray<string>) =>
      hash(changed({ "operations.0.scope": undefined, [`operations.0.${key}`]: names }))
    assert.strictEqual(several("allOf", ["members", "account.read"]), several("allOf", ["account.read", "members"]))
    assert.strictEqual(
      hash(changed({ "scopes.0.title": { en: "A", de: "B", fr: "C" } })),
      hash(changed({ "scopes.0.title": { fr: "C", de: "B", en: "A" } }))
    )
  })

  it("does not know how scopes are judged and sorted for people: a node of the release before gives the same answers", () => {
    for (
      const same of [
        changed({ areas: [{ id: "people", title: "People" }], "scopes.3.area": "people" }),
        changed({ areas: [] }),
        changed({ "levels.1.reach": "your whole workspace" }),
        changed({ "scopes.3.admits": true, "scopes.2.forwards": true, "scopes.1.sensitive": true })
      ]
    ) assert.strictEqual(hash(same), before)
    const { areas, levels, scopes, ...rest } = builtInFile()
    assert.isDefined(areas)
    const withoutAreas = {
      ...rest,
      levels: levels.map((level) => Struct.omit(level, ["reach"])),
      scopes: scopes.map((scope) => Struct.omit(scope, ["area", "admits", "forwards", "sensitive"]))
    }
    assert.strictEqual(hash(withoutAreas), hash(builtInFile()))
  })

  it("is another one for each value that is another one, and for another order of scopes, of levels and of anyOf", () => {
    const others = [
      changed({ scopes: [...small.scopes].reverse() }),
      changed({ levels: [...small.levels].reverse() }),
      ...leavesOf(small).filter(([place]) => place !== "format").map(([place, value]) =>
        changed({ [place]: other(place, value) })
      ),
      changed({ "scopes.0.removes": true }),
      changed({ "scopes.0.implies": ["members"] }),
      changed({ "scopes.0.retired": { since: "2027-01-01" } }),
      changed({ "scopes.0.title": { en: small.scopes[0].title, de: "B" } }),
      changed({ operations: small.operations.slice(1) }),
      ...["anyOf", "allOf"].map((key) =>
        changed({ "operations.0.scope": undefined, [`operations.0.${key}`]: ["members", "account.read"] })
      ),
      changed({ "operations.0.scope": undefined, "operations.0.anyOf": ["account.read", "members"] })
    ]
    const hashes = others.map((file) => hash(file))
    assert.notInclude(hashes, before)
    assert.strictEqual(new Set(hashes).size, hashes.length)
  })
})

const other = (place: string, value: unknown): unknown => {
  if (typeof value === "boolean") return !value
  if (place.endsWith(".access") && place.startsWith("scopes")) return value === "read" ? "write" : "read"
  if (place.endsWith(".access")) return value === "scope" ? "scope-if-token" : "closed"
  return place.endsWith(".method") ? "DELETE" : `${value}x`
}
