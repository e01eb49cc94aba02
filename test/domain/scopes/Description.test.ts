import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Description from "../../../src/domain/scopes/Description.ts"
import { catalogue, inOrder, Scope } from "../../../src/domain/scopes/Scope.ts"

describe("Description", () => {
  it("says of each scope something of its own", () => {
    const titles = catalogue.map((scope) => Description.describe(scope).title)
    assert.strictEqual(new Set(titles).size, 46)
    for (const scope of catalogue) assert.match(Description.describe(scope).covers, /^[A-Z].+\.$/)
  })

  it.prop("lists every scope once, in catalogue order within reads and writes", [Schema.Array(Scope)], ([scopes]) => {
    const groups = Description.grouped(scopes)
    const listed = groups.flatMap(({ reads, writes }) => [...reads, ...writes])
    assert.deepStrictEqual(inOrder(listed), inOrder(scopes))
    assert.strictEqual(new Set(listed).size, listed.length)
    for (const { reads, writes } of groups) {
      assert.deepStrictEqual([reads, writes], [inOrder(reads), inOrder(writes)])
    }
  })
})
