import { assert, describe, it } from "@effect/vitest"
import { parse } from "../../../src/foundation/http/MediaType.ts"

describe("A media type", () => {
  it.each([
    ["application/json", "application/json", undefined],
    ["APPLICATION/JSON", "application/json", undefined],
    ["application/json; charset=UTF-8", "application/json", "utf-8"],
    ["application/json ;charset=\"utf-8\"; q=1", "application/json", "utf-8"],
    ["application/x-www-form-urlencoded;", "application/x-www-form-urlencoded", undefined],
    ["text/plain; charset=latin1", "text/plain", "latin1"]
  ])("is read from %s", (contentType, essence, charset) => {
    assert.deepStrictEqual(parse(contentType), { essence, charset })
  })

  it.each([undefined, "", "json", "application/json, text/plain", "application/ json"])(
    "is absent from %s",
    (contentType) => assert.isUndefined(parse(contentType))
  )
})
