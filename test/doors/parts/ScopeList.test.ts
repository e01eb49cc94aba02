import { assert, describe, it } from "@effect/vitest"
import { make } from "../../../src/domain/catalogue/Catalogue.ts"
import { scopeList } from "../../../src/doors/parts/ScopeList.ts"
import { type Html, nothing } from "../../../src/foundation/web/Html.ts"
import { fileOf } from "../../core/catalogue/Fixture.ts"
import { written } from "../../support/Written.ts"

describe("A list of scopes", () => {
  const catalogue = make(fileOf({ "scopes.1.implies": ["members"] }))
  const textOf = (html: Html) => written(html).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ").trim()

  it("has what comes with a scope and is another right where a user looks for it", () => {
    const list = textOf(scopeList(catalogue, ["contacts.read"], () => nothing))
    assert.strictEqual(
      list,
      "You Can see See contacts Lists your contacts. " +
        "Your workspace Can change Manage people Adds people. Comes with “See contacts”."
    )
  })

  it("says of a scope that was asked for no more than that", () => {
    const list = textOf(scopeList(catalogue, ["contacts.read", "members"], () => nothing))
    assert.include(list, "Manage people Adds people.")
    assert.notInclude(list, "Comes with")
    assert.strictEqual(
      textOf(scopeList(catalogue, ["contacts.write"], () => nothing)),
      "You Can see See contacts Lists your contacts. Comes with “Change contacts”. " +
        "Can change Change contacts Changes your contacts. " +
        "Your workspace Can change Manage people Adds people. Comes with “Change contacts”."
    )
  })
})
