import { assert, describe, it } from "@effect/vitest"
import { drift } from "../../../../src/core/catalogue/openapi/Drift.ts"
import { newCatalogue } from "../../../../src/core/catalogue/openapi/NewCatalogue.ts"
import { documentOf, draftOf, existing, securitySchemes } from "./Scenario.ts"

const needs = (...scopes: ReadonlyArray<string>) => ({ security: [{ orbit: scopes }] })

const flows = { implicit: { scopes: { "contacts.read": "See your contacts", "old.read": "See old things" } } }

const document = documentOf({
  components: { securitySchemes: { ...securitySchemes, orbit: { type: "oauth2", flows } } },
  paths: {
    "/account": { get: needs("account.read") },
    "/contacts": { get: needs("contacts.read"), post: needs("contacts.write") },
    "/contacts/{id}": { get: needs("contacts.read"), delete: needs("contacts.write") },
    "/leads": { post: { security: [] } },
    "/exports": { post: { security: [{ key: [] }] } },
    "/old": { get: {} }
  }
})

const original = newCatalogue(draftOf(document))

/** How the document with these paths in place of its own differs from the catalogue that was made of it. */
const driftTo = (paths: object, catalogue = original) =>
  drift(existing(catalogue).catalogue, draftOf({ ...document, paths: { ...document.paths, ...paths } }))

const none = { added: { scopes: [], operations: [] }, changed: [], gone: { scopes: [], operations: [] } }

describe("drift", () => {
  it("is none between a document and the catalogue that was made of it", () => {
    assert.deepStrictEqual(driftTo({}), none)
  })

  it("is none where the document says the same in other words", () => {
    assert.deepStrictEqual(
      driftTo({
        "/account": { get: { security: [{ oidc: ["account.read"] }, { key: [] }] } },
        "/contacts/{id}": undefined,
        "/contacts/{contactId}": { delete: needs("contacts.write"), get: needs("contacts.read") }
      }),
      none
    )
  })

  it("has what is new in the document", () => {
    const { added, changed, gone } = driftTo({ "/deals": { get: needs("deals.read"), post: { security: [] } } })
    assert.deepStrictEqual(added.scopes.map(({ entry: { name } }) => name), ["deals.read"])
    assert.deepStrictEqual(added.operations.map(({ entry: { method, path } }) => [method, path]), [
      ["GET", "/deals"],
      ["POST", "/deals"]
    ])
    assert.deepStrictEqual([changed, gone], [[], { scopes: [], operations: [] }])
  })

  it("has what is gone from the document, and never a scope that is retired already", () => {
    const rest = documentOf({
      components: { securitySchemes: { orbit: { type: "oauth2", flows: {} } } },
      paths: { "/account": { get: needs("account.read") } }
    })
    const retired = "\"title\": \"See old things\", \"retired\": { \"since\": \"2027-01-01\" }"
    const catalogue = original.replace("\"title\": \"See old things\"", retired)
    assert.notStrictEqual(catalogue, original)
    const { gone } = drift(existing(catalogue).catalogue, draftOf(rest))
    assert.deepStrictEqual(gone.scopes, ["contacts.read", "contacts.write"])
    assert.deepStrictEqual(gone.operations, [
      "GET /contacts",
      "POST /contacts",
      "GET /contacts/{id}",
      "DELETE /contacts/{id}",
      "POST /leads",
      "POST /exports",
      "GET /old"
    ])
  })

  it.each([
    ["another scope", "/account", needs("contacts.read"), "account.read", "contacts.read"],
    [
      "a scope more",
      "/account",
      needs("account.read", "contacts.read"),
      "account.read",
      "account.read and contacts.read"
    ],
    [
      "a scope instead",
      "/account",
      { security: [...needs("account.read").security, ...needs("contacts.read").security] },
      "account.read",
      "account.read, or contacts.read"
    ],
    [
      "no token",
      "/account",
      { security: [{}, ...needs("account.read").security] },
      "account.read",
      "account.read, if there is a token"
    ],
    ["nothing", "/account", { security: [] }, "account.read", "public"],
    ["an API key", "/account", { security: [{ key: [] }] }, "account.read", "closed, takes apiKey"],
    ["a scope at last", "/old", needs("contacts.read"), "closed", "contacts.read"]
  ])("has an operation that now takes %s", (_, path, get, catalogue, document) => {
    assert.deepStrictEqual(driftTo({ [path]: { get } }).changed, [{ operation: `GET ${path}`, catalogue, document }])
  })

  it.each([
    ["a public one", "/leads", needs("contacts.write"), "public", "contacts.write"],
    ["one for API keys", "/exports", needs("contacts.read"), "closed, takes apiKey", "contacts.read"]
  ])("has %s that now takes a scope", (_, path, post, catalogue, document) => {
    assert.deepStrictEqual(driftTo({ [path]: { post } }).changed, [{ operation: `POST ${path}`, catalogue, document }])
  })

  it("leaves what people decided where the document does not tell", () => {
    const decided = original
      .replace("\"path\": \"/old\", \"access\": \"closed\"", "\"path\": \"/old\", \"access\": \"public\"")
      .replace("\"neverForApps\": \"takes apiKey\"", "\"neverForApps\": \"copies of everything are for backups\"")
    assert.deepStrictEqual(driftTo({}, decided), none)
    assert.deepStrictEqual(driftTo({ "/exports": { post: needs("contacts.read") } }, decided), none)
    assert.deepStrictEqual(driftTo({ "/old": { get: { security: [{ orbit: [] }] } } }, decided), none)
  })

  it("leaves a stricter form where the document's has none, and no laxer one", () => {
    const mixed = {
      "/account": { get: { security: [...needs("a", "b").security, ...needs("account.read").security] } }
    }
    const withNames = (access: string) =>
      newCatalogue(draftOf({ ...document, paths: { ...document.paths, ...mixed } }))
        .replace("\"access\": \"scope\", \"scope\": \"account.read\"},", `"access": "scope", ${access}},`)
    const changed = (access: string) => driftTo(mixed, withNames(access)).changed.length
    assert.deepStrictEqual(
      ["\"scope\": \"account.read\"", "\"allOf\": [\"b\", \"a\"]", "\"allOf\": [\"a\", \"b\", \"contacts.read\"]"].map(
        changed
      ),
      [0, 0, 0]
    )
    assert.deepStrictEqual(
      ["\"scope\": \"a\"", "\"anyOf\": [\"account.read\", \"a\"]"].map(changed),
      [1, 1]
    )
  })
})
