import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import { check } from "../../../../src/domain/catalogue/file/CatalogueRules.ts"
import { read } from "../../../../src/domain/catalogue/file/ReadCatalogue.ts"
import { write } from "../../../../src/domain/catalogue/file/WriteCatalogue.ts"
import { changed, leavesOf, small } from "./SmallCatalogue.ts"

const Value = Schema.Union([
  Schema.String,
  Schema.Literals(["account.read", "contacts.write", "members", "own", "read", "closed", "GET", "/api/{a}/b"]),
  Schema.Finite,
  Schema.Boolean,
  Schema.Null,
  Schema.Array(Schema.Literals(["account.read", "members", "x"])),
  Schema.Record(Schema.String, Schema.String)
])

/** Places of the small catalogue, and of what it leaves out. */
const places = leavesOf(small).map(([place]) => place).concat(
  "$schema api levels levels.0 scopes scopes.1 scopes.1.implies scopes.1.retired scopes.1.extra profile samples.demo"
    .split(" "),
  ["areas", "levels.1.reach", "scopes.1.area", "scopes.3.admits"],
  ["operations", "operations.2", "operations.2.anyOf"]
)
const Changes = Schema.Array(Schema.Tuple([Schema.Literals(places), Value])).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(4)
)

describe("any catalogue", () => {
  it.prop(
    "is either used, and written so that it reads the same, or refused with a reason at each fault",
    [Changes],
    ([changes]) => {
      const file = changed(Object.fromEntries(changes))
      const checked = check(file)
      if (Result.isSuccess(checked)) {
        const text = write(checked.success.file)
        assert.deepStrictEqual(Result.getOrThrow(read(new TextEncoder().encode(text), "x")).file, checked.success.file)
      } else {
        assert.isNotEmpty(checked.failure)
        for (const { problem } of checked.failure) assert.notMatch(problem, /^Expected|undefined|\[object/)
      }
    },
    { arbitrary: { runs: 1000 } }
  )

  it.prop("is refused when its text was cut or garbled, and never breaks the reader", [
    Arbitrary.all({
      at: Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: write(small).length }))),
      put: Arbitrary.schema(Schema.String),
      isCut: Arbitrary.schema(Schema.Boolean)
    })
  ], ([{ at, isCut, put }]) => {
    const text = write(small)
    const garbled = `${text.slice(0, at)}${put}${isCut ? "" : text.slice(at)}`
    const found = read(new TextEncoder().encode(garbled), "x")
    if (Result.isSuccess(found)) return
    assert.isNotEmpty(found.failure.problems)
    for (const { line } of found.failure.problems) assert.isAtMost(line ?? 0, garbled.split(/\r\n|\r|\n/).length)
  }, { arbitrary: { runs: 1000 } })
})
