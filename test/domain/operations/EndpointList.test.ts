import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { load } from "../../../src/domain/catalogue/EndpointPolicy.ts"

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
      `4: "scope" needs one of "scope", "anyOf" and "allOf"`,
      `5: "closed" takes no "scope"`
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
    `{"method": "GET", "path": "/v2/a//", "access": "public"}`,
    `{"method": "GET", "path": "//", "access": "public"}`,
    `{"method": "GET", "path": "/v2//a", "access": "public"}`,
    `{"method": "GET", "path": "/v2/../a", "access": "public"}`,
    `{"method": "GET", "path": "/v2/%61", "access": "public"}`,
    `{"method": "GET", "path": "/v2/A", "access": "public"}`,
    `{"method": "GET", "path": "/v2/:a", "access": "public"}`,
    `{"method": "GET", "path": "/v2/X{a}", "access": "public"}`,
    `{"method": "GET", "path": "/v2/{a}.Json", "access": "public"}`,
    `{"method": "GET", "path": "/v2/A", "case": "lower", "access": "public"}`,
    `{"method": "GET", "path": "/v2/:A", "case": "exact", "access": "public"}`,
    `{"method": "GET", "path": "/v2/%41", "case": "exact", "access": "public"}`,
    `{"method": "GET", "path": "/v2/{a}{b}", "access": "public"}`,
    `{"method": "GET", "path": "/v2/{a}-{b}", "access": "public"}`,
    `{"method": "GET", "path": "/v2/{a", "access": "public"}`,
    `{"method": "GET", "path": "/v2/{}", "access": "public"}`,
    `{"method": "GET", "path": "/v2/{a b}", "access": "public"}`,
    `{"method": "GET", "path": "/v2/a;b", "access": "public"}`,
    `{"method": "GET", "path": "/v2/a;{b}", "access": "public"}`,
    `{"method": "GET", "path": "/v2/*", "access": "public"}`,
    `{"method": "GET", "path": "/v2/é", "access": "public"}`,
    `{"method": "GET", "path": "/v2/{a+}/b", "access": "public"}`,
    `{"method": "GET", "path": "/v2/{a+}/{b+}", "access": "public"}`,
    `{"method": "GET", "path": "/v2/{a+}.json", "access": "public"}`,
    `{"method": "GET", "path": "/v2/{a}/{a+}", "access": "public"}`,
    `{"method": "GET", "path": "/v2/{a*}", "access": "public"}`,
    `{"method": "GET", "path": "/v2/a", "access": "scope", "anyOf": []}`,
    `{"method": "GET", "path": "/v2/a", "access": "scope", "allOf": ["BOOKING_READ", "BOOKING_READ"]}`,
    `{"method": "GET", "path": "/v2/a", "access": "scope", "allOf": ["BOOKING_READ", "BOOKING_REED"]}`,
    `{"method": "GET", "path": "/v2/a", "access": "scope", "scope": "BOOKING_READ", "anyOf": ["APPS_READ"]}`,
    `{"method": "GET", "path": "/v2/a", "access": "scope", "anyOf": ["BOOKING_READ"], "allOf": ["APPS_READ"]}`,
    `{"method": "GET", "path": "/v2/a", "access": "public", "anyOf": ["BOOKING_READ"]}`,
    `{"method": "GET", "path": "/v2/a", "access": "closed", "allOf": ["BOOKING_READ"]}`,
    `{"method": "GET", "path": "/v2/{a}/{a}", "access": "public"}`,
    `{"method": "GET", "path": "/v2/a?b", "access": "public"}`,
    `{"path": "/v2/a", "access": "public"}`,
    `"GET /v2/a"`
  ])("refuses %s", (entry) => {
    assert.match(problems(list(bookings, entry)).join("\n"), /^3: [^\n]+$/)
  })

  const open = (path: string, rest = "") => `{"method": "GET", "path": "${path}"${rest}, "access": "public"}`
  const needs = (path: string, scopes: string) => `{"method": "GET", "path": "${path}", "access": "scope", ${scopes}}`

  it("proposes how to ask for upper case, and what a parameter looks like", () => {
    assert.deepStrictEqual(problems(list(open("/v3/calendarList"), open("/v3/{Id}.Json"), open("/v3/:userId"))), [
      `2: the path "/v3/calendarList" has upper case in "calendarList": write "calendarlist", or add "case": "exact" if ` +
      "the API tells the two apart",
      `3: the path "/v3/{Id}.Json" has upper case in "{Id}.Json": write "{Id}.json", or add "case": "exact" if the API ` +
      "tells the two apart",
      `4: the path "/v3/:userId" has a segment ":userId": a parameter is written "{userId}"`
    ])
    assert.deepStrictEqual(problems(list(open("/v3/calendarList", `, "case": "exact"`), open("/v3/{calendar-Id}"))), [])
  })

  it("refuses two that nobody can tell apart where a router ignores case", () => {
    const exact = `, "case": "exact"`
    assert.deepStrictEqual(problems(list(open("/v3/{a}/freeBusy", exact), open("/v3/{a}/freebusy"))), [
      "3: GET /v3/{a}/freebusy matches the same paths as line 2 where a router ignores case"
    ])
    assert.deepStrictEqual(problems(list(open("/v3/freebusy"), open("/v3/freeBusy/", exact))), [
      "3: GET /v3/freeBusy/ matches the same paths as line 2 where a router ignores case"
    ])
  })

  it("refuses those that meet within a segment, behind a tail, or but for a slash, with different scopes", () => {
    const [one, other] = [`"scope": "BOOKING_READ"`, `"scope": "APPS_READ"`]
    const meet = (path: string, rival: string) => problems(list(needs(path, one), needs(rival, other)))
    assert.deepStrictEqual(meet("/a/v{x}", "/a/{x}.json"), [
      "3: GET /a/{x}.json is ambiguous with line 2: both match /a/v{}.json"
    ])
    assert.deepStrictEqual(meet("/a/ab{x}", "/a/{x}bc"), [
      "3: GET /a/{x}bc is ambiguous with line 2: both match /a/ab{}bc"
    ])
    assert.deepStrictEqual(meet("/a/{x+}", "/{x}/b"), ["3: GET /{x}/b is ambiguous with line 2: both match /a/b"])
    assert.deepStrictEqual(meet("/a/{x+}", "/{x}/b/{y+}"), [
      "3: GET /{x}/b/{y+} is ambiguous with line 2: both match /a/b/{+}"
    ])
    assert.deepStrictEqual(meet("/a", "/a/"), [
      "3: GET /a/ is ambiguous with line 2: many routers ignore the slash at the end"
    ])
    assert.deepStrictEqual(meet("/a/{x}", "/{x}/b/"), [
      "3: GET /{x}/b/ is ambiguous with line 2: many routers ignore the slash at the end"
    ])
    assert.deepStrictEqual(meet("/{x+}", "/a/"), [
      "3: GET /a/ is ambiguous with line 2: many routers ignore the slash at the end"
    ])
    const around = [needs("/ab{x}", one), needs("/{x}cd", other), needs("/a{x}cd", one)]
    assert.deepStrictEqual(
      problems(list(...around)),
      [],
      "the third is more specific than the second wherever all meet"
    )
    for (const [path = "", rival = ""] of [["/a/{x}", "/a/{x}.json"], ["/{x+}", "/a"], ["/a/{x}", "/a/b/{y+}"]]) {
      assert.deepStrictEqual(meet(path, rival), [], `${rival} is the more specific one`)
    }
  })

  it("takes of several the one that is as strict as all others, wherever it stands", () => {
    const [one, other] = [needs("/a/{x}/c", `"scope": "BOOKING_READ"`), needs("/{x}/b/c", `"scope": "APPS_READ"`)]
    const closed = `{"method": "GET", "path": "/a/b/{x}", "access": "closed"}`
    assert.deepStrictEqual(problems(list(one, other, closed)), problems(list(closed, one, other)))
    assert.deepStrictEqual(problems(list(one, other, closed)), [])
    const both = needs("/a/b/{x}", `"allOf": ["APPS_READ", "BOOKING_READ"]`)
    assert.deepStrictEqual(problems(list(one, other, both)), [])
  })

  it("refuses a list whose operations meet on more paths than can be checked", () => {
    const crossed = Array.from(
      { length: 20 },
      (_, at) => open(Array.from({ length: 20 }, (_, place) => place === at ? "/a" : `/{x${place}}`).join(""))
    )
    assert.deepStrictEqual(problems(list(...crossed)), [
      "2: the operations meet on more paths than can be checked: write some of them out"
    ])
  })

  it("takes 10,000 operations", () => {
    const many = Array.from(
      { length: 10_000 },
      (_, at) =>
        open(`/v1/${["{org}", "o", "{org}.json", `{org}:act-${at}`][at % 4]}/things-${at % 300}/{id}/part-${at}`)
    )
    assert.deepStrictEqual(problems(list(...many)), [])
  })

  it.each(["", "{}", "[", `"a"`])("refuses a file that is no list: %s", (text) => {
    assert.deepStrictEqual(problems(text), ["1: the file must hold a JSON array"])
  })
})
