import { assert, describe, it } from "@effect/vitest"
import { parse } from "../../src/domain/Basic.ts"

const header = (text: string | Uint8Array) => `Basic ${Buffer.from(text).toString("base64")}`

describe("Basic credentials", () => {
  it.each([
    ["Basic YTpi", { userId: "a", password: "b" }],
    ["basic  YTpi ", { userId: "a", password: "b" }],
    [header("a:b:c"), { userId: "a", password: "b:c" }],
    [header(":"), { userId: "", password: "" }],
    [header("é:\ufffd"), { userId: "é", password: "\ufffd" }],
    // "~~?:" in the URL-safe alphabet.
    ["Basic fn4_Og", { userId: "~~?", password: "" }]
  ])("are read from %s", (authorization, credentials) => {
    assert.deepStrictEqual(parse(authorization), credentials)
  })

  it.each([
    undefined,
    "",
    "Basic",
    "Basic YTpi, Basic YTpi",
    "Bearer YTpi",
    header("no colon"),
    header(new Uint8Array([0x61, 0x3a, 0xff]))
  ])("are absent from %s", (authorization) => {
    assert.isUndefined(parse(authorization))
  })
})
