import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { FailureWindows } from "../../src/domain/FailureWindows.ts"

const here = "192.0.2.1"
const make = () => new FailureWindows({ limit: 2, window: Duration.seconds(10), capacity: 3 })

describe("FailureWindows", () => {
  it("admits so many failures a window, which later ones do not extend", () => {
    const windows = make()
    assert.isTrue(windows.isEmpty)
    assert.isUndefined(windows.add("a", here, 0))
    assert.isUndefined(windows.retryAfter("a", here, 1_000))
    assert.strictEqual(windows.add("a", here, 4_000), here)
    assert.isUndefined(windows.add("a", here, 5_000))
    assert.deepStrictEqual(windows.retryAfter("a", here, 6_000), Duration.seconds(4))
    assert.isUndefined(windows.retryAfter("b", here, 6_000))
    assert.isUndefined(windows.retryAfter("a", "192.0.2.2", 6_000))
    assert.isUndefined(windows.retryAfter("a", here, 10_000))
    assert.isUndefined(windows.add("a", here, 10_000))
  })

  it("counts a bounded number of keys, and drops the oldest window first", () => {
    const windows = make()
    for (const subject of ["a", "b", "c"]) windows.add(subject, here, 0)
    windows.add("a", here, 1)
    windows.add("b", here, 1)
    windows.add("d", here, 2)
    assert.isUndefined(windows.retryAfter("a", here, 3))
    assert.isDefined(windows.retryAfter("b", here, 3))
  })
})
