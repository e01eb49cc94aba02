import { assert, describe, it } from "@effect/vitest"
import { documentOf, draftOf, refusalOf } from "./Scenario.ts"

const yaml = `openapi: 3.0.3
info: { title: Orbit, version: 1 }
x-needs: &needs
  security:
    - orbit: [contacts.read]
paths:
  /contacts:
    get: *needs
    post:
      <<: *needs
      summary: Add one
    trace: *needs
  /deals: &deals
    get:
      <<: *needs
  /leads: *deals
components:
  securitySchemes:
    orbit:
      type: oauth2
      flows:
        clientCredentials:
          tokenUrl: /token
          scopes:
            contacts.read: >
              See your
              contacts
`

describe("an OpenAPI document", () => {
  it.each(["3.0.0", "3.0.3", "3.1.0", "3.1.1", "3.2.0", 3.1])("of version %s is read", (openapi) => {
    assert.strictEqual(draftOf({ ...documentOf({}), openapi }).name, "The Orbit CRM API")
  })

  it("in YAML is read with its anchors and merged keys, and problems have their lines", () => {
    const { operations, problems, scopes } = draftOf(yaml)
    assert.deepStrictEqual(operations.map(({ entry: { method, path, scope } }) => [method, path, scope]), [
      ["GET", "/contacts", "contacts.read"],
      ["POST", "/contacts", "contacts.read"],
      ["GET", "/deals", "contacts.read"],
      ["GET", "/leads", "contacts.read"]
    ])
    assert.deepStrictEqual(problems, [
      { line: 12, place: "TRACE /contacts", problem: "the catalogue has no method TRACE" }
    ])
    assert.deepStrictEqual(scopes.map(({ entry: { name, title } }) => [name, title]), [
      ["contacts.read", "See your contacts"]
    ])
  })

  it("in JSON is read like the same one in YAML, indented as it may be", () => {
    const document = documentOf({ paths: { "/a\u00e4\ud83d\ude00": { get: {} }, "/b": { get: { security: [] } } } })
    const [compact, spaces, tabs] = [undefined, 2, "\t"].map((space) => draftOf(JSON.stringify(document, null, space)))
    assert.deepStrictEqual(spaces?.operations, compact?.operations)
    assert.deepStrictEqual(tabs, { ...spaces, problems: tabs?.problems })
    assert.deepStrictEqual(spaces?.problems.map(({ place }) => place), ["GET /a\u00e4\ud83d\ude00"])
  })

  it.each([
    ["nothing", "", /^The file is empty\.$/],
    ["blanks", " \n\t\n", /^The file is empty\.$/],
    ["Swagger 2.0", "swagger: '2.0'\npaths: {}", /^The file is a document of Swagger 2\.0\. Convert it to OpenAPI 3/],
    ["Swagger 2.0 as a number", "{\"swagger\": 2.0}", /^The file is a document of Swagger 2\b/],
    ["AsyncAPI", "asyncapi: 3.0.0", /^The file is an AsyncAPI document/],
    ["a later OpenAPI", "openapi: 4.0.0", /^The file is a document of OpenAPI 4\.0\.0, and 3\.0 to 3\.2 are known/],
    ["OpenAPI 30", "openapi: 30", /OpenAPI 30/],
    ["a package.json", "{\"name\": \"orbit\", \"version\": \"1\"}", /no member "openapi", but "name", "version"\.$/],
    ["an empty object", "{}", /no member "openapi", but none/],
    ["a list", "[1, 2]", /it is no object/],
    ["a text", "Dear Sir or Madam", /it is no object/],
    ["HTML", "<!doctype html>\n<html><body>Not found</body></html>", /it is no object|cannot be read/],
    ["half of a document", JSON.stringify(documentOf({})).slice(0, -20), /cannot be read as YAML or JSON:\nline 1: /],
    [
      "two documents",
      "openapi: 3.1.0\n---\nopenapi: 3.1.0\n",
      /cannot be read as YAML or JSON:\nline \d: .*multiple documents/
    ],
    ["a key twice", "openapi: 3.1.0\npaths:\n  /a: {}\n  /b: {}\n  /a: {}\n", /\nline 5: Map keys must be unique$/],
    [
      "a key twice, in JSON",
      "{\"openapi\": \"3.1.0\",\n\"paths\": {}, \"paths\": {}}",
      /\nline 2: Map keys must be unique$/
    ],
    ["an alias of nothing", "openapi: 3.1.0\npaths: *none\n", /cannot be read as YAML or JSON/],
    ["a key that is a list", "openapi: 3.1.0\n? [a]\n: b\n", /\nline 2: With stringKeys/],
    ["a merge of no map", "openapi: 3.1.0\n<<: 1\n", /cannot be read as YAML or JSON/],
    ["brackets within brackets", "[".repeat(200_000), /^The file is nested too deeply\.$/],
    [
      "maps within maps",
      `openapi: 3.1.0\n${Array.from({ length: 5_000 }, (_, at) => `${" ".repeat(at)}a:`).join("\n")}`,
      /^The file is nested too deeply\.$/
    ]
  ])("is refused where it is something else: %s", (_, text, refusal) => {
    assert.match(refusalOf(text), refusal)
  })

  it("is refused where its aliases multiply", () => {
    const bomb = Array.from(
      { length: 12 },
      (_, at) => at === 0 ? "a0: &a0 [x]" : `a${at}: &a${at} [${Array(10).fill(`*a${at - 1}`).join(", ")}]`
    )
    assert.match(refusalOf(`openapi: 3.1.0\n${bomb.join("\n")}\n`), /Excessive alias count/)
    const merges = Array.from(
      { length: 24 },
      (_, at) => at === 0 ? "a0: &a0 { x: 1 }" : `a${at}: &a${at} { l: *a${at - 1}, r: *a${at - 1} }`
    )
    assert.match(refusalOf(`openapi: 3.1.0\n${merges.join("\n")}\n`), /Excessive alias count/)
  })

  it("may contain itself: nothing goes round in it", () => {
    const { operations } = draftOf(
      "openapi: 3.1.0\npaths: &paths\n  /a: &a\n    get: { security: &s [*s] }\n    post: *a\n    x-y: *paths\n"
    )
    assert.deepStrictEqual(operations.map(({ entry: { access, method } }) => [method, access]), [
      ["GET", "closed"],
      ["POST", "closed"]
    ])
  })

  it("may have names that objects of JavaScript have", () => {
    const { operations, scopes } = draftOf(`openapi: 3.1.0
paths:
  /constructor: { get: { security: [{ toString: [valueOf, a.read] }] } }
  /__proto__: { get: { security: [{ __proto__: [a.read] }] } }
  __proto__: { get: { security: [] } }
components: { securitySchemes: { __proto__: { type: oauth2, flows: {} }, toString: { type: oauth2, flows: {} } } }
`)
    assert.deepStrictEqual(operations.map(({ entry: { access, path } }) => [path, access]), [
      ["/constructor", "closed"],
      ["/__proto__", "scope"]
    ])
    assert.deepStrictEqual(scopes.map(({ entry: { name } }) => name), ["a.read"])
  })

  it("may have ten thousand operations", () => {
    const paths = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [
      `/group-${at % 70}/things-${at}/{id}`,
      { get: { security: [{ orbit: ["contacts.read"] }] }, put: {} }
    ]))
    const { operations, problems, scopes } = draftOf(documentOf({ paths }))
    assert.deepStrictEqual([operations.length, problems.length, scopes.length], [10_000, 0, 2])
  })
})
