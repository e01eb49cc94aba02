import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { drift } from "../../../../src/core/catalogue/openapi/Drift.ts"
import { documentOf, draftOf, existing, readText } from "./Scenario.ts"

// A file as a person leaves it: words, comments, an order and a layout of their own.
const written = `{
  // Ours.
  "format": 1, "api": { "name": "Orbit", "account": "your workspace", "everything": "all" },
  "levels": [{ "id": "own", "title": { "en": "You", "de": "Sie" } }, { "id": "workspace", "title": "Yours", "parameter": "workspaceId" }],
  "operations": [
    { "method": "GET", "path": "/contacts/{id}", "access": "scope", "scope": "contacts.read" }, // the first
    { "method": "GET", "path": "/contacts", "access": "scope",
      "scope": "contacts.read" } /* the last */ // of them
    // "path": "/deals" comes later
  ],
  "scopes": [{ "name": "contacts.write", "level": "own", "access": "write", "title": "Change them", "covers": "Changes.", "implies": ["contacts.read"] },
    { "name": "contacts.read", "level": "own", "access": "read", "title": "See them", "covers": "Sees." }],
  "profile": { "scope": "contacts.read" }, "samples": { "demo": ["contacts.read"], "tests": ["contacts.read"] }
}
`

const needs = (...scopes: ReadonlyArray<string>) => ({ security: [{ orbit: scopes }] })

/** Catalogue after an update from a document with these paths. */
const updated = (text: string, paths: object) => {
  const { catalogue, withAdditions } = existing(text)
  return withAdditions(drift(catalogue, draftOf(documentOf({ paths }), { levels: catalogue.levels })).added)
}

const paths = {
  "/contacts": { get: needs("contacts.read"), post: needs("contacts.write") },
  "/contacts/{id}": { get: needs("contacts.read") },
  "/workspaces/{workspaceId}": { get: needs("workspace.read"), trace: {} },
  "/old": { get: {} }
}

describe("an update", () => {
  it("adds what is new to the ends of the lists, marked, and leaves every other character", () => {
    assert.strictEqual(
      updated(written, paths),
      written
        .replace(
          "\"contacts.read\" } /* the last */ // of them\n    // \"path\": \"/deals\" comes later\n",
          `"contacts.read" }, /* the last */ // of them
    // "path": "/deals" comes later
    // TODO new in the document
    {"method": "POST", "path": "/contacts", "access": "scope", "scope": "contacts.write"},
    // TODO new in the document
    {"method": "GET", "path": "/workspaces/{workspaceId}", "access": "scope", "scope": "workspace.read"},
    // TODO new in the document
    // TODO the document does not say who may call it
    {"method": "GET", "path": "/old", "access": "closed"}
`
        )
        .replace(
          "\"covers\": \"Sees.\" }],",
          `"covers": "Sees." },
    // TODO new in the document
    // TODO level workspace and access read are guesses
    {
      "name": "workspace.read", "level": "workspace", "access": "read",
      "title": "TODO",
      "covers": "TODO"
    }
  ],`
        )
    )
  })

  it("is over when nothing is new any more", () => {
    const once = updated(written, paths)
    assert.strictEqual(updated(once, paths), once)
    assert.deepStrictEqual(existing(once).catalogue.operations.length, 5)
  })

  it("keeps the ends of lines", () => {
    const windows = written.replaceAll("\n", "\r\n")
    assert.strictEqual(updated(windows, paths), updated(written, paths).replaceAll("\n", "\r\n"))
  })

  it("takes a list without entries, with a comment in it or without", () => {
    const [before = "", after = ""] = written.split(/"operations": \[[^]*?\n {2}\],/)
    for (const list of ["[]", "[\n  ]", "[ // none yet\n  ]"]) {
      const text = `${before}"operations": ${list},${after}`
      assert.strictEqual(existing(updated(text, paths)).catalogue.operations.length, 5)
      assert.include(
        updated(text, paths),
        list.includes("none") ? "[ // none yet\n    // TODO new" : "[\n    // TODO new"
      )
    }
  })

  it("puts no text of the document behind the end of its comment", () => {
    const description = "See\n{},\r\u2028\"x\": 1 */ // all"
    const document = documentOf({
      paths: { ...paths, "/a": { get: { security: [{ "orb\nit": ["a.read"] }] } } },
      components: {
        securitySchemes: { orbit: { type: "oauth2", flows: { a: { scopes: { "a.read": description } } } } }
      }
    })
    const { catalogue, withAdditions } = existing(written)
    const text = withAdditions(drift(catalogue, draftOf(document, { levels: catalogue.levels })).added)
    assert.include(text, "// TODO the document describes it so: See {}, \"x\": 1 */ // all\n")
    assert.strictEqual(existing(text).catalogue.scopes.length, 4)
  })

  it("refuses a file that is no catalogue, with all that is wrong with it", () => {
    const result = readText(written.replace("\"level\": \"own\"", "\"level\": \"owm\""))
    assert.isTrue(Result.isFailure(result))
    if (Result.isFailure(result)) assert.match(result.failure.message, /catalogue\.json is not usable:\n {2}line 11/)
  })
})
