import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { readFileSync, writeFileSync } from "node:fs"
import { examine } from "../../src/domain/brand/BrandRules.ts"
import { builtInFile } from "../../src/domain/catalogue/BuiltIn.ts"
import { changed, problemsOf, small } from "../domain/catalogue/file/SmallCatalogue.ts"
import { brandSchema, catalogueSchema } from "../support/CatalogueSchema.ts"

const file = new URL("../../catalogue.schema.json", import.meta.url)
const brandFile = new URL("../../brand.schema.json", import.meta.url)
const validate = new Ajv2020({ strict: false }).compile(catalogueSchema())

/** Keys that a schema does not explain. */
const unexplained = (schema: unknown, path: string): ReadonlyArray<string> => {
  if (typeof schema !== "object" || schema === null) return []
  const { items, properties } = schema as { items?: unknown; properties?: Record<string, unknown> }
  return [
    ...unexplained(items, path),
    ...Object.entries(properties ?? {}).flatMap(([name, property]) => [
      ...(typeof property === "object" && property !== null && "description" in property
        ? []
        : [`${path}.${name}`]),
      ...unexplained(property, `${path}.${name}`)
    ])
  ]
}

describe("catalogue.schema.json", () => {
  it("is that of the format (UPDATE_DOCS=1 writes it)", () => {
    const text = `${JSON.stringify(catalogueSchema(), null, 2)}\n`
    if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, text)
    else assert.strictEqual(readFileSync(file, "utf8"), text)
  })

  it("explains every key", () => {
    assert.deepStrictEqual(unexplained(catalogueSchema(), ""), [])
  })

  it("takes the built-in catalogue, and any other that one entry's rules allow", () => {
    for (const catalogue of [builtInFile(), small, changed({ "scopes.0.title": { en: "A", "de-AT": "B" } })]) {
      assert.isTrue(validate(catalogue), JSON.stringify(validate.errors))
    }
  })

  it.each([
    { "scopes.0.titel": "x" },
    { "scopes.0.access": "raed" },
    { "scopes.0.title": { de: "x" } },
    { "scopes.0.title": { en: "x", de_DE: "y" } },
    { "scopes.0.name": "a,b" },
    { "scopes.0.retired": {} },
    { "operations.0.scope": undefined },
    { "operations.0.anyOf": ["members"] },
    { "operations.4.scope": "members" },
    { "operations.4.neverForApps": "billing" },
    { "samples.demo": [] },
    { format: 2 }
  ])("marks %j as the server does", (values) => {
    assert.isFalse(validate(changed(values)))
    assert.isNotEmpty(problemsOf(values))
  })
})

describe("brand.schema.json", () => {
  const example = (): Record<string, unknown> =>
    JSON.parse(readFileSync(new URL("../../examples/crm/slotkey.brand.json", import.meta.url), "utf8"))
  const validateBrands = new Ajv2020({ strict: false }).compile(brandSchema())

  it("is that of the format (UPDATE_DOCS=1 writes it), and explains every key", () => {
    const text = `${JSON.stringify(brandSchema(), null, 2)}\n`
    if (process.env["UPDATE_DOCS"] === "1") writeFileSync(brandFile, text)
    else assert.strictEqual(readFileSync(brandFile, "utf8"), text)
    assert.deepStrictEqual(unexplained(brandSchema(), ""), [])
  })

  it("takes the example, and marks what the server refuses by the form of an entry", () => {
    assert.isTrue(validateBrands(example()), JSON.stringify(validateBrands.errors))
    for (const [key, value] of [["nmae", "x"], ["hosts", ["UPPER.example"]], ["colors", { light: { text: "red" } }]]) {
      const brands = [{ name: "Orbit", [String(key)]: value }]
      assert.isFalse(validateBrands({ ...example(), brands }), String(key))
      assert.isNotEmpty(examine({ ...example(), brands }).findings)
    }
  })
})
