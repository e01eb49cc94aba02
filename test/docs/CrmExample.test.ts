import { assert, describe, it } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Result } from "effect"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parse } from "yaml"
import { draft } from "../../src/core/catalogue/openapi/CatalogueDraft.ts"
import { drift, noDrift } from "../../src/core/catalogue/openapi/Drift.ts"
import { newCatalogue } from "../../src/core/catalogue/openapi/NewCatalogue.ts"
import { read } from "../../src/domain/catalogue/file/ReadCatalogue.ts"
import { documented } from "../support/Gateway.ts"

const example = resolve(import.meta.dirname, "../../examples/crm")
const document = readFileSync(join(example, "openapi.yaml"), "utf8")
const finished = readFileSync(join(example, "slotkey.catalogue.json"))

/** The document has a title for each other scope. */
const titled = (scope: string) => scope !== "members.write"

const levels = [{ id: "own" }, { id: "workspace", parameter: "workspaceId" }]

describe("examples/crm", () => {
  it("has a document that OpenAPI takes", async () => {
    assert.deepStrictEqual(await new Validator().validate(parse(document)), { valid: true })
  })

  it("has a catalogue without a warning, which says what the document says", () => {
    const { file, warnings } = Result.getOrThrow(read(finished, "slotkey.catalogue.json"))
    assert.deepStrictEqual(warnings, [])
    const found = Result.getOrThrow(draft(document, { levels: file.levels, prefix: undefined }))
    assert.deepStrictEqual(found.problems, [])
    assert.deepStrictEqual(drift(file, found), noDrift)
  })

  it("stands behind the gateway of the docs, at its own path", () => {
    const [before, after] = ["location /v2/ {", "location /api/ {"]
    const server = documented("gateway.md", "nginx")
    assert.include(server, before)
    assert.strictEqual(readFileSync(join(example, "nginx.conf"), "utf8"), `${server.replace(before, after)}\n`)
  })

  it("needs no other hand than its README names", () => {
    const { file } = Result.getOrThrow(read(finished, "slotkey.catalogue.json"))
    const found = Result.getOrThrow(draft(document, { levels, prefix: undefined }))
    const { file: begun } = Result.getOrThrow(read(Buffer.from(newCatalogue(found)), "slotkey.catalogue.json"))
    const imported = ({ operations, scopes }: typeof file) => ({
      operations: operations.map((entry) => ({ ...entry, neverForApps: undefined })),
      scopes: scopes.map(({ access, level, name, title }) => ({
        access,
        level,
        name,
        title: titled(name) ? title : ""
      }))
    })
    assert.deepStrictEqual(imported(begun), imported(file))
    assert.deepStrictEqual([begun.profile, begun.samples.demo], [file.profile, file.samples.demo])
  })
})
