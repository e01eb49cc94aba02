import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { catalogue, covers, format, inOrder, Scope } from "../../../src/domain/catalogue/BuiltInScope.ts"
import { builtIn } from "../../../src/domain/catalogue/Catalogue.ts"

describe("Description", () => {
  it("says of each scope something of its own", () => {
    const titles = catalogue.map((scope) => builtIn().describe(scope).title)
    assert.strictEqual(new Set(titles).size, 46)
    for (const scope of catalogue) assert.match(builtIn().describe(scope).covers, /^[A-Z].+\.$/)
  })

  it.prop(
    "lists a scope of another release as it is, behind the others; nothing covers it, and it covers nothing",
    [Schema.Array(Scope)],
    ([scopes]) => {
      const names = ["TIME_TRAVEL_WRITE", ...scopes, "ORG_TIME_TRAVEL", "TIME_TRAVEL_WRITE"]
      const groups = builtIn().grouped(names)
      assert.deepStrictEqual(groups.at(-1)?.writes, ["ORG_TIME_TRAVEL", "TIME_TRAVEL_WRITE"])
      assert.deepStrictEqual(groups.slice(0, -1), builtIn().grouped(scopes))
      assert.strictEqual(format(names), [...inOrder(scopes), "ORG_TIME_TRAVEL", "TIME_TRAVEL_WRITE"].join(" "))
      assert.deepStrictEqual(
        catalogue.filter((scope) => covers(names, scope)),
        catalogue.filter((scope) => covers(scopes, scope))
      )
      assert.isFalse(covers(names, "TEAM_TIME_TRAVEL"))
    }
  )

  it("shows the name of one that it does not know", () => {
    assert.strictEqual(builtIn().describe("TIME_TRAVEL_WRITE").title, "TIME_TRAVEL_WRITE")
    assert.include(builtIn().describe("constructor").covers, "does not know")
  })

  it.prop("lists every scope once, in catalogue order within reads and writes", [Schema.Array(Scope)], ([scopes]) => {
    const groups = builtIn().grouped(scopes)
    const listed = groups.flatMap(({ reads, writes }) => [...reads, ...writes])
    assert.deepStrictEqual(inOrder(listed), inOrder(scopes))
    assert.strictEqual(new Set(listed).size, listed.length)
    for (const { reads, writes } of groups) {
      assert.deepStrictEqual([reads, writes], [inOrder(reads), inOrder(writes)])
    }
  })
})
