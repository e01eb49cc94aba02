import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "../../src/domain/Once.ts"

describe("once", () => {
  it.effect("makes one thing for all that ask", () =>
    Effect.gen(function*() {
      let calls = 0
      const get = once(() => Promise.resolve(++calls))
      const both = yield* Effect.promise(() => Promise.all([get(), get()]))
      assert.deepStrictEqual([...both, yield* Effect.promise(get)], [1, 1, 1])
    }))

  it.effect("tries again after a failure, which all get that asked meanwhile", () =>
    Effect.gen(function*() {
      let calls = 0
      const get = once(() => ++calls === 1 ? Promise.reject(new Error("EMFILE")) : Promise.resolve(calls))
      const [first, second] = yield* Effect.promise(() => Promise.allSettled([get(), get()]))
      assert.deepStrictEqual([first.status, second.status], ["rejected", "rejected"])
      assert.deepStrictEqual([yield* Effect.promise(get), yield* Effect.promise(get)], [2, 2])
    }))
})
