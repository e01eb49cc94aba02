import { assert, describe, it } from "@effect/vitest"
import { ownPath } from "../../../src/doors/session/ReturnTo.ts"

describe("ownPath", () => {
  it.each([
    ["/", "/"],
    ["/settings/apps?x=1&y=%20", "/settings/apps?x=1&y=%20"],
    ["/auth/oauth2/authorize?redirect_uri=https%3A%2F%2Fapp.test%2Fcb&state=a%26b", undefined],
    ["//evil.test/", "/"],
    ["//", "/"],
    ["///", "/"],
    ["//[", "/"],
    ["/\\evil.test/", "/"],
    ["/\t/evil.test", "/"],
    ["/ /evil.test", "/"],
    ["\\/evil.test", "/"],
    ["https://evil.test/", "/"],
    ["https:evil.test", "/"],
    ["javascript:alert(1)", "/"],
    ["/a/..//evil.test", "/"],
    ["/.//evil.test", "/"],
    ["/%2e//evil.test", "/"],
    ["account", "/"],
    ["", "/"]
  ])("of %j is %j", (text, expected) => {
    assert.strictEqual(ownPath(text), expected ?? text)
  })
})
