import { assert, describe, it } from "@effect/vitest"
import { operationWith, problemsOf, securitySchemes } from "./Scenario.ts"

const read = { access: "scope", scope: "contacts.read" } as const
const closed = { access: "closed" } as const

describe("security requirements", () => {
  it.each([
    ["nothing needed", [], { access: "public" }],
    ["nothing needed, as a requirement", [{}], { access: "public" }],
    ["one scope", [{ orbit: ["contacts.read"] }], read],
    ["one scope twice", [{ orbit: ["contacts.read", "contacts.read"] }], read],
    ["one scope by a scheme that is a reference", [{ aliased: ["contacts.read"] }], read],
    ["one scope of OpenID Connect", [{ oidc: ["contacts.read"] }], read],
    ["one scope of a bearer token", [{ bearer: ["contacts.read"] }], read],
    ["one scope, by either of two schemes", [{ orbit: ["contacts.read"] }, { oidc: ["contacts.read"] }], read],
    ["one scope, and a bearer token", [{ orbit: ["contacts.read"], bearer: [] }], read],
    ["a scope, or no token", [{}, { orbit: ["contacts.read"] }], { access: "scope-if-token", scope: "contacts.read" }],
    ["a scope, or an API key", [{ key: [] }, { orbit: ["contacts.read"] }], read],
    ["one of two scopes", [{ orbit: ["contacts.read"] }, { oidc: ["deals.read"] }], {
      access: "scope",
      anyOf: ["contacts.read", "deals.read"]
    }],
    ["both of two scopes", [{ orbit: ["contacts.read", "deals.read"] }], {
      access: "scope",
      allOf: ["contacts.read", "deals.read"]
    }],
    ["both, of two schemes", [{ orbit: ["contacts.read"], oidc: ["deals.read"] }], {
      access: "scope",
      allOf: ["contacts.read", "deals.read"]
    }],
    ["both of two scopes, or no token", [{ orbit: ["contacts.read", "deals.read"] }, {}], {
      access: "scope-if-token",
      allOf: ["contacts.read", "deals.read"]
    }],
    ["a scope, or this and another", [{ orbit: ["contacts.read", "deals.read"] }, { orbit: ["contacts.read"] }], read],
    ["an API key", [{ key: [] }], { access: "closed", neverForApps: "takes apiKey" }],
    ["an API key with roles", [{ key: ["contacts.read"] }], { access: "closed", neverForApps: "takes apiKey" }],
    ["an API key or a password", [{ key: [] }, { basic: [] }], {
      access: "closed",
      neverForApps: "takes apiKey or http basic"
    }],
    ["an API key with a password", [{ key: [], basic: [] }], {
      access: "closed",
      neverForApps: "takes apiKey and http basic"
    }],
    ["an API key, or nothing", [{ key: [] }, {}], { access: "public" }],
    ["any token, or none", [{}, { oidc: [] }], { access: "public" }]
  ])("are read without a doubt: %s", (_, security, access) => {
    assert.deepStrictEqual(operationWith(security), { access, todo: "" })
  })

  it.each([
    ["any token of OAuth", [{ orbit: [] }], closed, /any valid token/],
    ["any token of OpenID Connect", [{ oidc: [] }], closed, /any valid token/],
    ["any bearer token", [{ bearer: [] }], closed, /any valid token/],
    ["a scope, or any token", [{ orbit: [] }, { orbit: ["contacts.read"] }], read, /any valid token/],
    ["a scope, and an API key", [{ orbit: ["contacts.read"], key: [] }], read, /also takes apiKey/],
    ["a scheme that is not there", [{ other: [] }], closed, /“other” is not declared/],
    ["a scope of a scheme that is not there", [{ other: ["contacts.read"] }], read, /“other” is not declared/],
    ["a name that no scope can have", [{ orbit: ["all,of it"] }], closed, /“all,of it” cannot be the name/],
    [
      "a name that no scope can have, or a scope",
      [{ orbit: ["*"] }, { orbit: ["contacts.read"] }],
      read,
      /“\*” cannot be the name/
    ],
    ["a name that differs by case", [{ orbit: ["Contacts.Read"] }], closed, /differs from contacts\.read by case/],
    [
      "one scope, or two others",
      [{ orbit: ["deals.read"] }, { orbit: ["contacts.read", "contacts.write"] }],
      { access: "scope", scope: "deals.read" },
      /less strict.*: deals\.read, or contacts\.read and contacts\.write/
    ],
    [
      "two scopes, or two others",
      [{ orbit: ["deals.read", "deals.write"] }, { orbit: ["contacts.read", "contacts.write"] }],
      { access: "scope", allOf: ["deals.read", "deals.write"] },
      /less strict/
    ],
    ["nothing at all", null, closed, /no list of requirements/],
    ["no list", { orbit: ["contacts.read"] }, closed, /no list of requirements/],
    ["a scope that is no text", [{ orbit: [1] }], closed, /no list of requirements/],
    ["scopes that are no list", [{ orbit: "contacts.read" }], closed, /no list of requirements/]
  ])("are marked where they have no form in a catalogue, and are never opened: %s", (_, security, access, todo) => {
    const found = operationWith(security)
    assert.deepStrictEqual(found.access, access)
    assert.match(found.todo, todo)
  })

  it("come from the document where an operation has none", () => {
    const security = [{ orbit: ["contacts.read"] }]
    assert.deepStrictEqual(operationWith(undefined, { security }), { access: read, todo: "" })
    assert.deepStrictEqual(operationWith([], { security }), { access: { access: "public" }, todo: "" })
  })

  it.each([
    ["./schemes.yaml", /leads to another file/],
    ["#/components/securitySchemes", /circle/]
  ])("are of schemes that are behind a reference: %s", ($ref, problem) => {
    assert.match(problemsOf({ components: { securitySchemes: { $ref } } }), problem)
    const members = { components: { securitySchemes: { $ref: "#/x-schemes" } }, "x-schemes": securitySchemes }
    assert.deepStrictEqual(operationWith([{ orbit: ["contacts.read"] }], members), { access: read, todo: "" })
  })

  it("are nowhere: the operation is closed, for most who leave them out do not mean everybody", () => {
    assert.deepStrictEqual(operationWith(undefined), {
      access: closed,
      todo: "the document does not say who may call it"
    })
  })

  it.each([
    ["leads to another file", { $ref: "./schemes.yaml#/orbit" }, /another file/],
    ["leads nowhere", { $ref: "#/components/securitySchemes/none" }, /leads to no object/],
    ["goes round in a circle", { $ref: "#/components/securitySchemes/broken" }, /circle/],
    ["is no scheme", { type: "magic" }, /no security scheme/],
    ["is no object", "oauth2", /no object/]
  ])("name a scheme that %s: it is listed, and what needs it is marked", (_, broken, problem) => {
    const members = { components: { securitySchemes: { broken } } }
    assert.deepStrictEqual(operationWith([{ broken: [] }], members).access, closed)
    assert.match(operationWith([{ broken: ["contacts.read"] }], members).todo, /“broken” is not declared/)
    assert.match(problemsOf(members), problem)
  })
})
