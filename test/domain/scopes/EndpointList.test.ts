import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { load } from "../../../src/domain/scopes/EndpointPolicy.ts"

const problems = (text: string) => {
  const loaded = load(text)
  return Result.isFailure(loaded) ? loaded.failure.problems.map(({ line, problem }) => `${line}: ${problem}`) : []
}
const list = (...entries: ReadonlyArray<string>) => `[\n${entries.join(",\n")}\n]`
const bookings = `{"method": "GET", "path": "/v2/bookings", "access": "public"}`

describe("loading the list of endpoints", () => {
  it("names the line of each entry at fault", () => {
    const text = list(
      bookings,
      `{"method": "GET", "path": "/v2/a", "access": "scope", "scope": "BOOKING_REED"}`,
      `{"method": "GET", "path": "/v2/b", "access": "scope"}`,
      `{"method": "GET", "path": "/v2/c", "access": "closed", "scope": "BOOKING_READ"}`
    )
    assert.deepStrictEqual(problems(text), [
      `3: unknown scope "BOOKING_REED"`,
      `4: "scope" needs a scope`,
      `5: "closed" takes no scope`
    ])
  })

  it("finds the line whatever the layout", () => {
    const text = `[{"method": "GET",\n"path": "/v2/{a}/b[,]\\"", "access": "public"}\n, 7,\n\n{\n"method": "GET"}]`
    assert.deepStrictEqual(problems(text).map((problem) => problem.split(":")[0]), ["1", "3", "5"])
  })

  it("refuses duplicates, also under another parameter name", () => {
    const text = list(
      bookings,
      bookings,
      `{"method": "GET", "path": "/v2/bookings/{a}", "access": "public"}`,
      `{"method": "GET", "path": "/v2/bookings/{b}", "access": "closed"}`,
      `{"method": "POST", "path": "/v2/bookings", "access": "public"}`
    )
    assert.deepStrictEqual(problems(text), [
      "3: GET /v2/bookings matches the same paths as line 2",
      "5: GET /v2/bookings/{b} matches the same paths as line 4"
    ])
  })

  it("refuses two that meet on a path with different scopes, until the list says what that path needs", () => {
    const one = `{"method": "GET", "path": "/v2/a/{x}", "access": "scope", "scope": "BOOKING_READ"}`
    const other = `{"method": "GET", "path": "/v2/{x}/b", "access": "scope", "scope": "APPS_READ"}`
    const both = `{"method": "GET", "path": "/v2/a/b", "access": "scope", "scope": "APPS_READ"}`
    assert.deepStrictEqual(problems(list(one, other)), [
      "3: GET /v2/{x}/b is ambiguous with line 2: both match /v2/a/b"
    ])
    assert.deepStrictEqual(problems(list(one, other, both)), [])
  })

  it.each([
    `{"method": "get", "path": "/v2/a", "access": "public"}`,
    `{"method": "HEAD", "path": "/v2/a", "access": "public"}`,
    `{"method": "GET", "path": "/v2/a", "access": "open"}`,
    `{"method": "GET", "path": "/v2/a", "access": "public", "scopes": []}`,
    `{"method": "GET", "path": "/v2/a", "access": "public", "neverForApps": "billing"}`,
    `{"method": "GET", "path": "/v2/a", "access": "closed", "neverForApps": ""}`,
    `{"method": "GET", "path": "v2/a", "access": "public"}`,
    `{"method": "GET", "path": "/v2/a/", "access": "public"}`,
    `{"method": "GET", "path": "/v2//a", "access": "public"}`,
    `{"method": "GET", "path": "/v2/../a", "access": "public"}`,
    `{"method": "GET", "path": "/v2/%61", "access": "public"}`,
    `{"method": "GET", "path": "/v2/A", "access": "public"}`,
    `{"method": "GET", "path": "/v2/:a", "access": "public"}`,
    `{"method": "GET", "path": "/v2/x{a}", "access": "public"}`,
    `{"method": "GET", "path": "/v2/{a}/{a}", "access": "public"}`,
    `{"method": "GET", "path": "/v2/a?b", "access": "public"}`,
    `{"path": "/v2/a", "access": "public"}`,
    `"GET /v2/a"`
  ])("refuses %s", (entry) => {
    assert.match(problems(list(bookings, entry)).join("\n"), /^3: [^\n]+$/)
  })

  it.each(["", "{}", "[", `"a"`])("refuses a file that is no list: %s", (text) => {
    assert.deepStrictEqual(problems(text), ["1: the file must hold a JSON array"])
  })
})
