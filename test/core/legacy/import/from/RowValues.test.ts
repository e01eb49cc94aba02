import { assert, describe, it } from "@effect/vitest"
import { listAt, meets, textAt } from "../../../../../src/core/legacy/import/from/RowValues.ts"

describe("The values in a row of an export", () => {
  it("are found through members, lists and JSON in a column, and empty ones are absent", () => {
    const row = { fields: { name: "", id: 7 }, contacts: "[\"ann@example.com\"]", attributes: { "client.secret": "s" } }
    assert.strictEqual(textAt(row, ["fields/name", "fields/id"]), "7")
    assert.strictEqual(textAt(row, ["contacts/0"]), "ann@example.com")
    assert.strictEqual(textAt(row, ["attributes/client.secret"]), "s")
    assert.strictEqual(textAt(row, ["fields", "contacts/1", "fields/name/more"]), undefined)
  })

  it("are lists of JSON, of PostgreSQL, or texts with what the server separates them by", () => {
    const both = ["https://a.example/cb", "https://b.example/cb?x={y}"]
    for (const uris of [both, JSON.stringify(both), `{${both[0]},"${both[1]}"}`, both.join("\n")]) {
      assert.deepStrictEqual(listAt({ uris }, ["none", "uris"], /\s+/), both)
    }
    // Without a separator a comma may belong to the address.
    assert.deepStrictEqual(listAt({ uris: "https://a.example/cb,x" }, ["uris"]), ["https://a.example/cb,x"])
    assert.deepStrictEqual(listAt({ uris: "a, b ,c" }, ["uris"], /\s*,\s*/), ["a", "b", "c"])
  })

  it("are true and false as databases write them", () => {
    for (const yes of [true, "true", "t", "TRUE", 1, "1"]) assert.isTrue(meets({ yes }, { at: "yes", is: ["true"] }))
    for (const no of [false, "false", "f", 0]) assert.isTrue(meets({ no }, { at: "no", is: ["false"] }))
  })

  it("tell rows apart only by what is there", () => {
    const grants = { at: "grants", isNot: ["authorization_code"] }
    assert.isFalse(meets({}, grants))
    assert.isFalse(meets({ grants: "[\"authorization_code\",\"refresh_token\"]" }, grants))
    assert.isFalse(meets({ grants: "authorization_code|refresh_token" }, grants))
    assert.isTrue(meets({ grants: ["client_credentials"] }, grants))
    assert.isTrue(meets({ model: "auth.User" }, { at: "model", ends: "user" }))
    assert.isTrue(meets({ secret: "" }, { at: "secret", isThere: false }))
  })
})
