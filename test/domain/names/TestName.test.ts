import { assert, describe, it } from "@effect/vitest"
import { isTestName, testName } from "../../../src/domain/names/TestName.ts"

describe("The name of a test app", () => {
  it("cannot be taken, nor one that passes for it", () => {
    for (
      const name of [
        testName("Calendar Sync"),
        "test:x",
        "TEST : x",
        "Test\uff1a x",
        "T\u0435st: x",
        "Te\u0455t\u2236 x",
        "T\u00e9st: x",
        "Test\ua789 x",
        " - Test: x"
      ]
    ) assert.isTrue(isTestName(name), name)
  })

  it("leaves other names alone", () => {
    for (const name of ["Testing: x", "Test runner", "My test: x", "Calendar: Test: x", ": x", "Contest: x"]) {
      assert.isFalse(isTestName(name), name)
    }
  })
})
