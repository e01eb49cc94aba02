import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { documentOf, drafted, draftOf } from "./Scenario.ts"

const get = { security: [{ orbit: ["contacts.read"] }] }

/** Method and path of each drafted operation, and each problem by its place. */
const found = (members: object, prefix?: string) => {
  const { operations, problems } = draftOf(documentOf(members), prefix === undefined ? {} : { prefix })
  return {
    operations: operations.map(({ entry: { method, path } }) => `${method} ${path}`),
    problems: problems.map(({ place, problem }) => `${place}: ${problem}`)
  }
}

describe("operations of a document", () => {
  it("are all methods that a catalogue has; HEAD and OPTIONS follow from these", () => {
    const item = { get, put: get, post: get, delete: get, patch: get, head: get, options: get }
    assert.deepStrictEqual(found({ paths: { "/a": item } }), {
      operations: ["GET /a", "PUT /a", "POST /a", "DELETE /a", "PATCH /a"],
      problems: []
    })
  })

  it("are listed where a catalogue has no place for them", () => {
    const { operations, problems } = found({
      paths: {
        "/a": { trace: get, query: get, additionalOperations: { LINK: get, get }, GET: get, summary: "A", "x-y": {} },
        "/b": { head: get },
        "/c": { get: "nothing" }
      }
    })
    assert.deepStrictEqual(operations, [])
    assert.deepStrictEqual(problems.toSorted(), [
      "GET /a: the operation cannot be read: it is no method",
      "GET /a: the operation cannot be read: it is no method",
      "GET /c: the operation cannot be read: it is no object",
      "HEAD /b: HEAD follows from GET, which this path does not have",
      "LINK /a: the catalogue has no method LINK",
      "QUERY /a: the catalogue has no method QUERY",
      "TRACE /a: the catalogue has no method TRACE"
    ])
  })

  it("have the servers of the operation, or else of the path, or else of the document", () => {
    const servers = (path: string) => [{ url: `https://orbit.example${path}` }]
    const members = {
      servers: servers("/api"),
      paths: {
        "/a": { get },
        "/b": { servers: servers("/b-api"), get, post: { ...get, servers: servers("/c-api/") } }
      }
    }
    assert.deepStrictEqual(found(members), {
      operations: ["GET /api/a", "GET /b-api/b", "POST /c-api/b"],
      problems: []
    })
    assert.deepStrictEqual(found(members, "/crm/").operations, ["GET /crm/a", "GET /crm/b", "POST /crm/b"])
    assert.deepStrictEqual(found(members, "https://orbit.example").operations, ["GET /a", "GET /b", "POST /b"])
    const refused = drafted(documentOf(members), { prefix: "/{version}" })
    assert.strictEqual(Result.isFailure(refused) && refused.failure.code, "prefix_malformed")
  })

  it("are below a base path that is told to be a guess, once", () => {
    const servers = [{ url: "/v1" }, { url: "/v2" }]
    const { operations, problems } = found({ servers, paths: { "/a": { get }, "/b": { get } } })
    assert.deepStrictEqual(operations, ["GET /v1/a", "GET /v1/b"])
    assert.strictEqual(problems.length, 1)
    assert.match(problems[0] ?? "", /^servers: the servers have several base paths/)
    assert.deepStrictEqual(found({ servers, paths: { "/a": { get } } }, "/v3").problems, [])
  })

  it("are found through references inside the document", () => {
    assert.deepStrictEqual(
      found({
        paths: {
          "/a": { $ref: "#/components/pathItems/things" },
          "/b/{id}": { $ref: "#/paths/~1a", post: get },
          "/c": { $ref: "#/paths/~1b~1%7Bid%7D" }
        },
        components: { pathItems: { things: { get } } }
      }),
      { operations: ["GET /a", "GET /b/{id}", "POST /b/{id}", "GET /c", "POST /c"], problems: [] }
    )
  })

  it.each([
    ["./paths.yaml#/a", "leads to another file, ./paths.yaml#/a"],
    ["https://orbit.example/paths.json", "leads to another file"],
    ["#/paths/~1a", "goes round in a circle"],
    ["#/paths/~1b", "goes round in a circle"],
    ["#/nothing", "leads to no object"],
    ["#/__proto__", "leads to no object"],
    ["#/info/title", "leads to no object"],
    ["#/%E0%A4%A/x", "leads to no object"],
    [1, "is no text"]
  ])("behind the reference %j are listed", ($ref, problem) => {
    const { operations, problems } = found({ paths: { "/a": { $ref }, "/b": { $ref: "#/paths/~1a" } } })
    assert.deepStrictEqual(operations, [])
    assert.strictEqual(problems.length, 2)
    assert.include(problems[0], `/a: the path cannot be read: its $ref ${problem}`)
  })

  it("keep their paths as they are, as far as a catalogue has them", () => {
    const paths = [
      "/contacts/{id}.json",
      "/contacts/{id}:merge",
      "/Contacts",
      "/contacts/",
      "/files/{path+}",
      "/files/{id}",
      "/a/{b-c}"
    ]
    const { operations, problems } = draftOf(documentOf({
      paths: Object.fromEntries(paths.map((path) => [path, { get }]))
    }))
    assert.deepStrictEqual(problems, [])
    assert.deepStrictEqual(operations.map(({ entry: { path } }) => path), paths)
    assert.deepStrictEqual(operations.flatMap(({ entry }) => entry.case === "exact" ? [entry.path] : []), ["/Contacts"])
  })

  it.each([
    "contacts",
    "/contacts?sort=name",
    "/contacts#top",
    "/a b",
    "/a//b",
    "/{a}{b}",
    "/{id}/{id}",
    "/../a",
    "/ä"
  ])(
    "have a path that a catalogue cannot have, and are listed: %j",
    (path) => {
      const { operations, problems } = found({ paths: { [path]: { get } } })
      assert.deepStrictEqual(operations, [])
      assert.strictEqual(problems.length, 1)
      assert.include(problems[0], `GET ${path}: the path`)
    }
  )

  it("match the same paths as others, and are listed", () => {
    assert.deepStrictEqual(
      found({
        paths: { "/a/{id}": { get }, "/a/{name}": { get, post: get }, "/x-a": { get, servers: [{ url: "/b" }] } },
        "x-other": {}
      }),
      {
        operations: ["GET /a/{id}", "POST /a/{name}", "GET /b/x-a"],
        problems: ["GET /a/{name}: it has the method and the paths of GET /a/{id}"]
      }
    )
  })

  it("may all be behind one reference", () => {
    const members = { paths: { $ref: "#/x-paths" }, "x-paths": { "/a": { get } } }
    assert.deepStrictEqual(found(members), { operations: ["GET /a"], problems: [] })
    assert.deepStrictEqual(found({ paths: { $ref: "./paths.yaml" } }), {
      operations: [],
      problems: ["paths: cannot be read: its $ref leads to another file, ./paths.yaml: bundle the document first"]
    })
  })

  it("are none: that is listed", () => {
    assert.deepStrictEqual(found({}).problems, ["the document: it has no operation"])
    assert.deepStrictEqual(found({ paths: { "x-internal": { get } } }).problems, ["the document: it has no operation"])
    assert.deepStrictEqual(found({ paths: { "/a": null } }).problems, ["/a: the path cannot be read: it is no object"])
  })
})
