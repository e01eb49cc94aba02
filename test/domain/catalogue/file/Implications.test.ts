import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { circles, closure } from "../../../../src/domain/catalogue/file/Implications.ts"

const Name = Schema.Literals(["a", "b", "c", "d", "e", "f"])
const Edges = Schema.Array(Schema.Tuple([Name, Name])).check(Schema.isMaxLength(10))

/** Scopes that imply each other so; every third one stands for the next instead. */
const scopesOf = (edges: typeof Edges.Type) =>
  Name.literals.map((name) => {
    const next = edges.filter(([from]) => from === name).map(([, to]) => to)
    return name === "c" ? { name, retired: { since: "2027-01-01", standsFor: next } } : { name, implies: next }
  })

/** Scopes that are reached in at most so many steps. */
const reached = (edges: typeof Edges.Type, from: string): ReadonlySet<string> => {
  let found = new Set<string>()
  for (let step = 0; step < 7; step++) {
    found = new Set([...found, ...edges.filter(([one]) => one === from || found.has(one)).map(([, to]) => to)])
  }
  return found
}

describe("what scopes imply", () => {
  it.prop("is what can be reached", [Edges], ([edges]) => {
    const covered = closure(scopesOf(edges))
    for (const name of Name.literals) {
      assert.deepStrictEqual(new Set(covered.get(name)), new Set(reached(edges, name)), name)
    }
  })

  it.prop("has a circle where a scope reaches itself, and each that is told is one", [Edges], ([edges]) => {
    const found = circles(scopesOf(edges))
    assert.strictEqual(found.length > 0, Name.literals.some((name) => reached(edges, name).has(name)))
    for (const circle of found) {
      assert.strictEqual(circle[0], circle.at(-1))
      for (const [at, name] of circle.slice(1).entries()) {
        assert.isTrue(edges.some(([from, to]) => from === circle[at] && to === name), circle.join(" "))
      }
    }
  })
})
