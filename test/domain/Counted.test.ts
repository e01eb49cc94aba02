import { assert, it } from "@effect/vitest"
import { counted } from "../../src/domain/Counted.ts"

it("counts one of a thing in the singular, and all other numbers in the plural", () => {
  assert.deepStrictEqual([0, 1, 2, 11].map((count) => counted(count, "grant")), [
    "0 grants",
    "1 grant",
    "2 grants",
    "11 grants"
  ])
  assert.deepStrictEqual([1, 2].map((count) => counted(count, "app loses", "apps lose")), [
    "1 app loses",
    "2 apps lose"
  ])
})
