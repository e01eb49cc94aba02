import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { FailureWindows } from "../../src/domain/FailureWindows.ts"

const make = () => new FailureWindows({ limit: 2, window: Duration.seconds(10), capacity: 3 })

describe("FailureWindows", () => {
  it("admits so many failures a window, which later ones do not extend", () => {
    const windows = make()
    assert.isTrue(windows.isEmpty)
    assert.isFalse(windows.add("a", 0))
    assert.isUndefined(windows.retryAfter("a", 1_000))
    assert.isTrue(windows.add("a", 4_000))
    assert.isFalse(windows.add("a", 5_000))
    assert.deepStrictEqual(windows.retryAfter("a", 6_000), Duration.seconds(4))
    assert.isUndefined(windows.retryAfter("b", 6_000))
    assert.isUndefined(windows.retryAfter("a", 10_000))
    assert.isFalse(windows.add("a", 10_000))
  })

  it("counts a bounded number of keys, and drops the oldest window first", () => {
    const windows = make()
    for (const key of ["a", "b", "c"]) windows.add(key, 0)
    windows.add("a", 1)
    windows.add("b", 1)
    windows.add("d", 2)
    assert.isUndefined(windows.retryAfter("a", 3))
    assert.isDefined(windows.retryAfter("b", 3))
  })
})
