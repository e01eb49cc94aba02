import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { newCatalogue } from "../../../../src/core/catalogue/openapi/NewCatalogue.ts"
import { todoOfNew } from "../../../../src/core/catalogue/openapi/Todo.ts"
import { read } from "../../../../src/domain/catalogue/file/ReadCatalogue.ts"
import { documentOf, draftOf } from "./Scenario.ts"

const needs = (...scopes: ReadonlyArray<string>) => ({ security: [{ orbit: scopes }] })

const checked = (text: string) => read(new TextEncoder().encode(text), "catalogue.json")

describe("a new catalogue", () => {
  it("can be used as it is, and marks and lists all that a person has to look at", () => {
    const levels = [{ id: "user" }, { id: "team", parameter: "teamId" }]
    const draft = draftOf(
      documentOf({
        paths: {
          "/me": { get: needs("user.read") },
          "/teams/{teamId}": { get: needs("team.read") },
          "/old": { get: {} }
        }
      }),
      { levels }
    )
    const text = newCatalogue(draft)
    const { file } = Result.getOrThrow(checked(text))
    assert.deepStrictEqual(file.levels, [{ id: "user", title: "You" }, {
      id: "team",
      title: "TODO",
      parameter: "teamId"
    }])
    assert.deepStrictEqual([file.api.name, file.api.account], ["The Orbit CRM API", "TODO"])
    assert.deepStrictEqual(file.profile, { scope: "user.read" })
    assert.deepStrictEqual(file.samples, { demo: ["user.read"], tests: ["user.read"] })
    const marks = Array.from(text.matchAll(/\/\/ TODO (.*)/g), ([, mark = ""]) => mark)
    assert.deepStrictEqual(marks.toSorted(), todoOfNew(draft).map(({ todo }) => todo).toSorted())
    assert.deepStrictEqual(
      todoOfNew(draft).map(({ place }) => place),
      ["api", "levels", "scopes", "profile", "samples"].concat(
        ["contacts.read", "contacts.write", "user.read", "team.read"].map((name) => `scope ${name}`),
        "GET /old"
      )
    )
  })

  it.each([
    ["the first that reads, where no operation looks like a profile", ["a.write", "a.read"], "a.read"],
    ["the first, where none reads", ["a.write", "b.write"], "a.write"]
  ])("guesses the scope of the profile: %s", (_, scopes, profile) => {
    const flows = { implicit: { scopes: Object.fromEntries(scopes.map((name) => [name, ""])) } }
    const draft = draftOf(documentOf({ components: { securitySchemes: { orbit: { type: "oauth2", flows } } } }))
    assert.deepStrictEqual(Result.getOrThrow(checked(newCatalogue(draft))).file.profile, { scope: profile })
  })

  it("says so where the document has no scope, and cannot be used without one", () => {
    const text = newCatalogue(draftOf({ openapi: "3.1.0", paths: { "/a": { get: {} } } }))
    assert.include(text, "// TODO the document has none: add them, and say what each operation needs\n  \"scopes\": []")
    const result = checked(text)
    assert.isTrue(Result.isFailure(result))
    if (Result.isFailure(result)) assert.match(result.failure.message, /profile\.scope: "TODO" is no scope here/)
  })
})
