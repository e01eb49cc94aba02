import { assert, describe, it } from "@effect/vitest"
import { documentOf, draftOf } from "./Scenario.ts"

const levels = [{ id: "user" }, { id: "team", parameter: "teamId" }, { id: "organization", parameter: "orgId" }]

const needs = (...scopes: ReadonlyArray<string>) => ({ security: [{ orbit: scopes }] })

const declared = (scopes: object) => ({
  components: { securitySchemes: { orbit: { type: "oauth2", flows: { implicit: { scopes } } } } }
})

const scopesOf = (members: object) =>
  draftOf(documentOf(members), { levels }).scopes.map(({ entry: { access, level, name, title }, todo }) => ({
    name,
    level,
    access,
    title,
    todo: todo.join("; ")
  }))

describe("scopes of a document", () => {
  it("are those that flows declare, and then those that only requirements name", () => {
    const flows = {
      a: { scopes: { "b.read": "See b", "a.read": "" } },
      c: { scopes: { "a.read": "See a", "c.read": "" } }
    }
    const { scopes } = draftOf(documentOf({
      components: { securitySchemes: { orbit: { type: "oauth2", flows } } },
      paths: { "/d": { get: needs("d.read"), post: { security: [{ orbit: ["d.write"] }, { orbit: ["c.read"] }] } } }
    }))
    assert.deepStrictEqual(scopes.map(({ entry: { name, title } }) => [name, title]), [
      ["b.read", "See b"],
      ["a.read", "See a"],
      ["c.read", "TODO"],
      ["d.read", "TODO"],
      ["d.write", "TODO"]
    ])
    for (const { entry: { covers } } of scopes) assert.strictEqual(covers, "TODO")
  })

  it.each([
    ["contacts.read", "read"],
    ["contacts.readonly", "read"],
    ["read:contacts", "read"],
    ["CONTACT_READ", "read"],
    ["contacts.write", "write"],
    ["contacts:write", "write"],
    ["write_contacts", "write"],
    ["Contacts.ReadWrite", "write"],
    ["contacts.read_write", "write"],
    ["admin", "write"],
    ["https://orbit.example/auth/contacts.readonly", "read"],
    ["bread", "write"],
    ["contacts", "write"]
  ])("read or write by their names: %s %ss", (name, access) => {
    assert.deepStrictEqual(scopesOf(declared({ [name]: "" })).map((scope) => scope.access), [access])
  })

  it("read or write by the operations that need them, where their names do not tell", () => {
    const scopes = scopesOf({
      ...declared({ seeing: "", both: "", "find.read": "" }),
      paths: { "/a": { get: needs("seeing", "both"), post: needs("both", "find.read") } }
    })
    assert.deepStrictEqual(scopes.map(({ access, name }) => [name, access]), [
      ["seeing", "read"],
      ["both", "write"],
      ["find.read", "read"]
    ])
  })

  it("have the level that all of their operations have, by the last object of a path", () => {
    const scopes = scopesOf({
      ...declared({ mine: "", mixed: "", both: "", org: "", of_team: "", "team.unused": "", orgs: "" }),
      paths: {
        "/things": { get: needs("mine", "mixed") },
        "/orgs/{orgId}": { get: needs("org", "mixed", "both") },
        "/orgs/{orgId}/teams": { get: needs("org") },
        "/orgs/{orgId}/teams/{teamId}/things/{id}": { get: needs("of_team") },
        "/teams/{teamId}": { get: needs("of_team", "both") },
        "/things/{teamIds}": { get: needs("orgs") }
      }
    })
    assert.deepStrictEqual(scopes.map(({ level, name }) => [name, level]), [
      ["mine", "user"],
      ["mixed", "user"],
      ["both", "user"],
      ["org", "organization"],
      ["of_team", "team"],
      ["team.unused", "team"],
      ["orgs", "user"]
    ])
  })

  it("say what is a guess, and what else was not known", () => {
    const long = `${"See all that there is to see, ".repeat(3)}and more`
    const scopes = scopesOf(declared({ a: "See it", b: "See it", c: "", d: long, e: "See\nit", f: 7, "g\u202e": "G" }))
    const guess = "level user and access write are guesses"
    assert.deepStrictEqual(scopes.map(({ name, title, todo }) => [name, title, todo]), [
      ["a", "See it", guess],
      ["b", "See it", `${guess}; another scope has the same title`],
      ["c", "TODO", guess],
      ["d", "TODO", `${guess}; the document describes it so: ${long}`],
      ["e", "TODO", `${guess}; the document describes it so: See\nit`],
      ["f", "TODO", guess]
    ])
  })

  it("are listed where a catalogue cannot have them", () => {
    const { problems, scopes } = draftOf(documentOf(declared({
      "a.read": "",
      "A.READ": "",
      "a b": "",
      "*": "",
      "a,b": "",
      ["x".repeat(65)]: "",
      constructor: ""
    })))
    assert.deepStrictEqual(scopes.map(({ entry: { name } }) => name), ["a.read"])
    assert.deepStrictEqual(problems.map(({ place }) => place), [
      "the document",
      "the scope “A.READ”",
      "the scope “a b”",
      "the scope “*”",
      "the scope “a,b”",
      `the scope “${"x".repeat(65)}”`,
      "the scope “constructor”"
    ])
  })
})
