import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import { stringify } from "yaml"
import { newCatalogue } from "../../../../src/core/catalogue/openapi/NewCatalogue.ts"
import { read } from "../../../../src/domain/catalogue/file/ReadCatalogue.ts"
import { documentOf, draftOf } from "./Scenario.ts"

const among = <A>(values: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: values.length - 1 }))),
    (at) => {
      const value = values[at]
      if (value === undefined) throw new Error("nothing to choose from")
      return value
    }
  )

const scopes = ["a.read", "a.write", "b.read", "B.READ", "not, one", ""]
const schemes = ["orbit", "oidc", "bearer", "basic", "key", "aliased", "nothing", "__proto__"]

const requirement = Arbitrary.map(
  Arbitrary.array(
    Arbitrary.all({ scheme: among(schemes), scopes: Arbitrary.array(among(scopes), { maxLength: 3 }) }),
    { maxLength: 2 }
  ),
  (entries) => Object.fromEntries(entries.map(({ scheme, scopes }) => [scheme, scopes]))
)

const security = Arbitrary.map(
  Arbitrary.all({
    kind: among(["none", "some", "some", "some", "wrong"]),
    some: Arbitrary.array(requirement, { maxLength: 3 })
  }),
  ({ kind, some }) => kind === "none" ? {} : { security: kind === "some" ? some : "wrong" }
)

const methods = [
  "get",
  "put",
  "post",
  "delete",
  "patch",
  "head",
  "options",
  "trace",
  "query",
  "GET",
  "x-get",
  "parameters"
]

const servers = among([
  {},
  {},
  { servers: [{ url: "/api" }] },
  { servers: [{ url: "https://{x}.example/{y}", variables: { y: { default: "v1", enum: ["v1", "v2"] } } }] },
  { servers: "none" }
])

const paths = [
  "/a",
  "/a/{id}",
  "/a/{name}",
  "/a/b",
  "/A/{id}.json",
  "/a/{id}:merge",
  "/files/{path+}",
  "/a/",
  "a",
  "/a b",
  "/a?x=y",
  "x-a",
  "/api/a",
  "__proto__"
]

const item = Arbitrary.map(
  Arbitrary.all({
    operations: Arbitrary.array(
      Arbitrary.all({
        method: among(methods),
        operation: Arbitrary.all({ security, servers }),
        broken: among([0, 0, 0, 1])
      }),
      { maxLength: 5 }
    ),
    servers
  }),
  ({ operations, servers }) => ({
    ...servers,
    ...Object.fromEntries(operations.map(({ broken, method, operation: { security, servers } }) => [
      method,
      broken === 1 ? "broken" : { ...security, ...servers }
    ]))
  })
)

const document = Arbitrary.map(
  Arbitrary.all({
    items: Arbitrary.array(
      Arbitrary.all({ path: among(paths), item, reference: among(["", "", "", "#/paths/~1a", "#/none", "x.yaml"]) }),
      { maxLength: 6 }
    ),
    security,
    servers
  }),
  ({ items, security, servers }) =>
    documentOf({
      ...security,
      ...servers,
      paths: Object.fromEntries(items.map(({ item, path, reference }) => [
        path,
        reference === "" ? item : { ...item, $ref: reference }
      ]))
    })
)

interface Item {
  readonly [name: string]: unknown
}

/** Places of all operations of a document, counted by a reading of its own; paths that cannot be read count as one. */
const placesOf = (paths: Record<string, Item>): ReadonlyArray<string> =>
  Object.entries(paths).flatMap(([path, own]) => {
    if (path.startsWith("x-")) return []
    const reference = own["$ref"]
    const target = reference === "#/paths/~1a" ? paths["/a"] : undefined
    if (reference !== undefined && (target === undefined || target["$ref"] !== undefined)) return [path]
    const item = { ...target, ...own }
    return Object.keys(item)
      .filter((name) => !name.startsWith("x-") && !["servers", "parameters", "$ref", "options"].includes(name))
      .filter((name) => name !== "head" || item["get"] === undefined)
      .map((name) => `${name.toUpperCase()} ${path}`)
  })

describe("a document, whatever is in it", () => {
  it.prop("has each of its operations once: in the draft, or among the problems", [document], ([document]) => {
    for (const text of [JSON.stringify(document), stringify(document)]) {
      const { operations, problems } = draftOf(text)
      const told = [...operations, ...problems].map(({ place }) => place).filter((place) =>
        /^[A-Z]+ |^[/_a]/.test(place)
      )
      assert.deepStrictEqual(told.toSorted(), placesOf(document.paths).toSorted())
    }
  }, { arbitrary: { runs: 1000 } })

  it.prop("opens no operation by a scope, or without one, where it does not say so", [document], ([document]) => {
    for (const { condition, entry: { access, allOf, anyOf, scope } } of draftOf(document).operations) {
      const needed = allOf === undefined ? (anyOf ?? [scope]).map((name) => [name]) : [allOf]
      if (condition._tag === "Public") assert.strictEqual(access, "public")
      else if (condition._tag !== "Scopes") assert.strictEqual(access, "closed")
      else {
        for (const names of needed) {
          assert.isTrue(condition.alternatives.some((one) => one.every((name) => names.includes(name))))
        }
      }
    }
  }, { arbitrary: { runs: 1000 } })

  it.prop("makes a catalogue that can be read, but for what two paths have in common", [document], ([document]) => {
    const checked = read(new TextEncoder().encode(newCatalogue(draftOf(document))), "catalogue.json")
    if (Result.isSuccess(checked)) return
    for (const { place, problem } of checked.failure.problems) {
      // Without a scope there is nothing for a profile to need.
      if (!/^(?:profile|samples)\./.test(place)) assert.match(problem, /ambiguous|match/)
    }
  }, { arbitrary: { runs: 300 } })
})
