// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { catalogue } from "../../../src/domain/catalogue/BuiltInScope.ts"
import * as EndpointPolicy from "../../../src/domain/catalogue/EndpointPolicy.ts"
import catalogueFile from "../../../src/domain/catalogue/scheduling.catalogue.json" with { type: "json" }
import { Requirement } from "../../../src/domain/scopes/Requirement.ts"
import { decide } from "../../../src/doors/resource/LibraryFunctions.ts"
import * as NaiveMatcher from "./NaiveMatcher.ts"
import * as Requests from "./Requests.ts"

const { operations } = catalogueFile
const policy = Result.getOrThrow(EndpointPolicy.load(JSON.stringify(operations)))
const matched = (method: string, target: string) => policy.match(method, target)

interface Listed {
  readonly method: string
  readonly path: string
  readonly access: string
  readonly scope?: string
  readonly neverForApps?: string
}
const listed: ReadonlyArray<Listed> = operations

const unlisted = [
  ["GET", "/"],
  ["GET", "/v2"],
  ["GET", "/v2/nothing"],
  ["GET", "/v3/bookings"],
  ["GET", "/v2/bookings/a/b/c/d"],
  ["PUT", "/v2/bookings"],
  ["get", "/v2/bookings"],
  ["TRACE", "/v2/slots"],
  ["CONNECT", "/v2/slots"],
  ["", "/v2/slots"],
  ["GET, GET", "/v2/slots"],
  ["GET", "v2/slots"]
] as const

const disguised = [
  "//v2/bookings",
  "/v2//bookings",
  "/v2/bookings/",
  "/v2/bookings//",
  "/v2/./bookings",
  "/v2/../v2/bookings",
  "/v2/slots/../bookings",
  "/v2/slots/..",
  "/v2/slots/%2e%2e/bookings",
  "/v2/slots/.%2E/bookings",
  "/v2/slots/..%2fbookings",
  "/v2/slots%2f..%2fbookings",
  "/v2/bookings/by-seat/..%5c..%5cbookings",
  "/v2/bookings/a%2Fattendees",
  "/v2/bookings/a%252Fattendees",
  "/v2/bookings/%252e%252e",
  "/v2/bookings/a\\attendees",
  "/v2/bookings/a%5Cattendees",
  "/v2\\bookings",
  "/v2/bookings%00",
  "/v2/bookings/%00",
  "/v2/bookings/a%0d%0aX:y",
  "/v2/bookings/\u0000",
  "/v2/bookings/a b",
  "/v2/bookings/%",
  "/v2/bookings/%4",
  "/v2/bookings/%zz",
  "/v2/bookings/%u002f",
  "/v2/bookings/%c0%af",
  "/v2/bookings/%ff",
  "/v2/bookings/%ed%a0%80",
  "/v2/bookings/\u00e9",
  "/v2/bookings;a=b",
  "/v2/bookings/..;/slots",
  "/v2/bookings/x%3bslots",
  "/v2/bookings#",
  "/v2/bookings/{bookingUid}",
  "http://api.test/v2/bookings",
  "*",
  ""
]

describe("the policy of the platform API", () => {
  it.effect("is loaded as a service", () =>
    Effect.gen(function*() {
      const { endpoints } = yield* EndpointPolicy.EndpointPolicy
      assert.strictEqual(endpoints.length, 363)
    }).pipe(Effect.provide(EndpointPolicy.EndpointPolicy.layer)))

  it("lets each of the 46 scopes call just what the list says, for all 363 operations", () => {
    assert.strictEqual(listed.length, 363)
    assert.strictEqual(catalogue.length, 46)
    for (const { access, method, neverForApps, path, scope } of listed) {
      const requirement = matched(method, path.replaceAll(/\{\w+\}/g, "cm4x8_Q-1"))
      for (const held of catalogue) {
        const needed = scope === held || (held.startsWith("ORG_") && scope === held.replace("ORG_", "TEAM_"))
        const expected = access === "public" || (access !== "closed" && needed)
        assert.strictEqual(decide(requirement, [held])._tag === "Allowed", expected, `${held} ${method} ${path}`)
      }
      const anyone = access === "public" || access === "scope-if-token"
      assert.strictEqual(decide(requirement, "none")._tag === "Allowed", anyone, `none ${method} ${path}`)
      assert.strictEqual(decide(requirement, [])._tag === "Allowed", access === "public", `empty ${method} ${path}`)
      const legacy = neverForApps === undefined
      assert.strictEqual(decide(requirement, null)._tag === "Allowed", legacy, `legacy ${method} ${path}`)
    }
  })

  it("closes what is not listed, whatever the token", () => {
    for (const [method, path] of unlisted) {
      const requirement = matched(method, path)
      assert.strictEqual(requirement._tag, "Closed", `${method} ${path}`)
      assert.strictEqual(decide(requirement, catalogue)._tag, "Refused")
      assert.strictEqual(decide(requirement, null)._tag, "Refused")
      assert.strictEqual(decide(requirement, "none")._tag, "Refused")
    }
  })

  it("has an organization's team edited and deleted with the organization's scope alone, and viewed with either", () => {
    const team = "/v2/organizations/1/teams/2"
    for (const method of ["PATCH", "DELETE"]) {
      const { _tag, ...refusal } = decide(matched(method, team), ["TEAM_PROFILE_WRITE", "ORG_PROFILE_READ"])
      assert.deepStrictEqual([_tag, refusal], ["InsufficientScope", { scope: "ORG_PROFILE_WRITE" }])
      assert.strictEqual(decide(matched(method, team), ["ORG_PROFILE_WRITE"])._tag, "Allowed")
      assert.strictEqual(decide(matched(method, "/v2/teams/2"), ["TEAM_PROFILE_WRITE"])._tag, "Allowed")
    }
    for (const scope of ["TEAM_PROFILE_READ", "ORG_PROFILE_READ"] as const) {
      assert.strictEqual(decide(matched("GET", team), [scope])._tag, "Allowed")
    }
    assert.strictEqual(decide(matched("GET", team), ["ORG_PROFILE_WRITE"])._tag, "InsufficientScope")
    const named = listed.filter(({ path, scope }) => path.includes("/teams/{teamId}") && scope?.startsWith("ORG_"))
    assert.deepStrictEqual(named.map(({ method }) => method), ["DELETE", "PATCH"], "no other path that names one team")
  })

  it("prefers what is written out to a parameter", () => {
    assert.deepInclude(matched("GET", "/v2/organizations/1/teams/me"), { scope: "ORG_PROFILE_READ" })
    assert.deepInclude(matched("GET", "/v2/organizations/1/teams/2"), { scope: "TEAM_PROFILE_READ" })
    assert.deepInclude(matched("GET", "/v2/teams/me"), { scope: "TEAM_PROFILE_READ" }, "no operation of its own")
  })

  it("takes the stricter of two operations that match alike", () => {
    assert.deepInclude(matched("GET", "/v2/bookings/by-seat/attendees"), { scope: "BOOKING_READ" })
    assert.strictEqual(matched("GET", "/v2/bookings/by-seat/abc")._tag, "Public")
  })

  it("ignores the query and nothing else", () => {
    assert.deepInclude(matched("GET", "/v2/bookings?status=/../&x=%2F#a"), { scope: "BOOKING_READ" })
    assert.strictEqual(matched("GET", "/v2/bookings#?")._tag, "Closed")
  })

  it("decodes once", () => {
    assert.deepInclude(matched("GET", "/v2/%62ookings"), { scope: "BOOKING_READ" })
    assert.deepInclude(matched("GET", "/v2/organizations/1/teams/%6d%65"), { scope: "ORG_PROFILE_READ" })
    assert.deepInclude(matched("GET", "/v2/bookings/%C3%A9/attendees"), { scope: "BOOKING_READ" })
  })

  it.each(disguised)("refuses %s", (target) => {
    for (const method of ["GET", "HEAD", "OPTIONS", "POST", "DELETE"]) {
      assert.deepInclude(matched(method, target), { _tag: "Closed", reason: "malformed" })
    }
  })

  it("refuses a path that is another operation where a router ignores case", () => {
    assert.deepInclude(matched("GET", "/v2/organizations/1/teams/Me"), { _tag: "Closed", reason: "malformed" })
    assert.deepInclude(matched("GET", "/v2/organizations/1/teams/%4de"), { _tag: "Closed", reason: "malformed" })
    assert.deepInclude(matched("GET", "/v2/booKings"), { _tag: "Closed", reason: "malformed" })
    assert.deepInclude(matched("GET", "/v2/organizations/1/teams/Others"), { scope: "TEAM_PROFILE_READ" })
  })

  it("refuses letters, too, that have the upper case of another one", () => {
    const { match } = Result.getOrThrow(EndpointPolicy.load(JSON.stringify([
      { method: "GET", path: "/users/{x}", access: "public" },
      { method: "GET", path: "/users/secrets", access: "closed" }
    ])))
    assert.deepInclude(match("GET", "/users/%C5%BFecret%C5%BF"), { _tag: "Closed", reason: "malformed" })
    assert.deepInclude(match("GET", "/users/stra%C3%9Fe"), { _tag: "Public" })
  })

  it("refuses it, too, where the other operation is closed alike", () => {
    const { match } = Result.getOrThrow(EndpointPolicy.load(JSON.stringify([
      { method: "GET", path: "/{x}/b", access: "closed" },
      { method: "GET", path: "/b/{y}", access: "public" }
    ])))
    assert.deepInclude(match("GET", "/B/b"), { _tag: "Closed", reason: "malformed" })
    assert.strictEqual(match("GET", "/b/b")._tag, "LegacyGrant")
  })

  it("asks of HEAD what GET asks, and lets a preflight pass where an app may call", () => {
    assert.deepInclude(matched("HEAD", "/v2/bookings"), { _tag: "Scope", scope: "BOOKING_READ" })
    assert.strictEqual(matched("HEAD", "/v2/destination-calendars")._tag, "Closed")
    assert.strictEqual(matched("OPTIONS", "/v2/bookings")._tag, "Public")
    assert.strictEqual(matched("OPTIONS", "/v2/workflows")._tag, "Public")
    assert.strictEqual(matched("OPTIONS", "/v2/oauth-clients")._tag, "Closed")
    assert.strictEqual(matched("OPTIONS", "/v2/nothing")._tag, "Closed")
  })
})

const formed = [
  { method: "GET", path: "/v3/calendarList/{id}", case: "exact", access: "scope", scope: "APPS_READ" },
  { method: "GET", path: "/v3/{any}/{id}", access: "scope", scope: "APPS_READ" },
  { method: "GET", path: "/v3/{any}/{id}.json", access: "scope", scope: "BOOKING_READ" },
  { method: "GET", path: "/v3/{any}/{id}:merge", access: "scope", scope: "BOOKING_READ" },
  { method: "GET", path: "/v3/calendarList/{id}:merge", case: "exact", access: "scope", scope: "BOOKING_READ" },
  { method: "GET", path: "/v3/calendarList/{id}.json", case: "exact", access: "scope", scope: "BOOKING_READ" },
  { method: "GET", path: "/v3/{any}/v{n}", access: "closed" },
  { method: "GET", path: "/files/{path+}", access: "scope", scope: "APPS_READ" },
  { method: "GET", path: "/files/{id}/meta", access: "scope", scope: "BOOKING_READ" },
  { method: "GET", path: "/folders/", access: "scope", scope: "APPS_READ" },
  { method: "GET", path: "/folders/{id}/", access: "scope", scope: "APPS_READ" },
  { method: "GET", path: "/folders/trash", access: "closed" },
  { method: "GET", path: "/deep/{path+}/", access: "scope", scope: "APPS_READ" },
  { method: "GET", path: "/", access: "scope", scope: "PROFILE_READ" }
]
const forms = Result.getOrThrow(EndpointPolicy.load(JSON.stringify(formed)))

const found: ReadonlyArray<readonly [target: string, path: string]> = [
  ["/v3/calendarList/7", "/v3/calendarList/{id}"],
  ["/v3/calendarList/7%3Ax", "/v3/calendarList/{id}"],
  ["/v3/others/7", "/v3/{any}/{id}"],
  ["/v3/others/7.json", "/v3/{any}/{id}.json"],
  ["/v3/others/7%2Ejson", "/v3/{any}/{id}.json"],
  ["/v3/others/a.b.json", "/v3/{any}/{id}.json"],
  ["/v3/others/.json", "/v3/{any}/{id}"],
  ["/v3/others/7:merge", "/v3/{any}/{id}:merge"],
  ["/v3/others/7.json:merge", "/v3/{any}/{id}:merge"],
  ["/v3/others/v7", "/v3/{any}/v{n}"],
  ["/v3/others/v", "/v3/{any}/{id}"],
  ["/v3/others/v7.json", "/v3/{}/v{}.json"],
  ["/files/a", "/files/{path+}"],
  ["/files/a/b/c/D.e", "/files/{path+}"],
  ["/files/a/meta", "/files/{id}/meta"],
  ["/files/a/meta/b", "/files/{path+}"],
  ["/folders/", "/folders/"],
  ["/folders/?a=b/", "/folders/"],
  ["/folders/7/", "/folders/{id}/"],
  ["/deep/a/b/", "/deep/{path+}/"],
  ["/", "/"],
  ["/?x", "/"]
]

const refused = [
  "/v3/calendarlist/7",
  "/v3/CalendarList/7",
  "/v3/%43alendarList/7",
  "/v3/others/7.JSON",
  "/v3/others/7.j%53on",
  "/v3/others/7:Merge",
  "/v3/others/7%3Amerge",
  "/v3/others/7%3amerge",
  "/v3/others/7%253Amerge",
  "/v3/others/V7",
  "/v3/others/7/",
  "/v3/others/7.json/",
  "/files/",
  "/files/a/",
  "/files/a/../b",
  "/files/a//b",
  "/files/a/%2e%2e/b",
  "/files/a%2Fb",
  "/files/a%5cb",
  "/files/a;b/c",
  "/files/a/b%00",
  "/files/a/Meta",
  "/folders//",
  "/folders%2F",
  "/folders/7//",
  "/folders/7/./",
  "/deep//",
  "/deep/a//",
  "//",
  "/./"
]

describe("a policy with paths of all forms", () => {
  it.each(found)("finds for %s the operation %s", (target, path) => {
    assert.strictEqual(forms.find("GET", target).operation?.path, path)
    assert.strictEqual(forms.find("HEAD", target).operation?.path, path)
  })

  it.each(refused)("refuses %s", (target) => {
    for (const method of ["GET", "HEAD", "OPTIONS"]) {
      assert.deepStrictEqual(forms.match(method, target), Requirement.Closed({ reason: "malformed" }))
    }
  })

  it.each(disguised)("refuses %s", (target) => {
    assert.strictEqual(forms.match("GET", target)._tag, "Closed")
  })

  it("does not know a path without the slash that is listed with one, nor a tail of nothing", () => {
    for (const target of ["/folders", "/folders/7", "/files", "/deep/a", "/deep", "/v3"]) {
      assert.deepStrictEqual(forms.match("GET", target), Requirement.Closed({ reason: "unlisted" }), target)
    }
  })

  it("takes the stricter of two that meet within a segment, or but for a slash", () => {
    assert.strictEqual(forms.match("GET", "/v3/others/v7.json")._tag, "LegacyGrant")
    assert.strictEqual(forms.match("GET", "/folders/trash")._tag, "LegacyGrant")
    assert.strictEqual(forms.match("GET", "/folders/trash/")._tag, "LegacyGrant")
    assert.strictEqual(forms.match("OPTIONS", "/folders/")._tag, "Public")
    assert.strictEqual(forms.match("OPTIONS", "/deep/a/")._tag, "Public")
  })

  const policyOf = (...entries: ReadonlyArray<readonly [path: string, access: object]>) =>
    Result.getOrThrow(
      EndpointPolicy.load(JSON.stringify(entries.map(([path, access]) => ({ method: "GET", path, ...access }))))
    )
  const [open, closed] = [{ access: "public" }, { access: "closed" }]

  it("takes the strictest where three meet of which no two do so alone", () => {
    const { match } = policyOf(["/a/{x}/{y}", open], ["/{x}/b/{y}", open], ["/{x}/{y}/c", closed])
    assert.strictEqual(match("GET", "/a/b/c")._tag, "LegacyGrant")
    assert.strictEqual(match("GET", "/a/b/d")._tag, "Public")
  })

  it("knows that what stands around parameters may overlap", () => {
    const { match } = policyOf(["/a{x}", open], ["/{x}.a", closed], ["/a{x}.a", { ...closed, neverForApps: "test" }])
    assert.strictEqual(match("GET", "/a.a")._tag, "LegacyGrant")
    assert.strictEqual(match("GET", "/ab.a")._tag, "Closed")
    assert.strictEqual(match("GET", "/a.b")._tag, "Public")
  })

  it("lets no preflight pass for an operation whose path is written otherwise", () => {
    const exact = (path: string, access: object) => [path, { case: "exact", ...access }] as const
    const never = { ...closed, neverForApps: "test" }
    const { match } = policyOf(exact("/A{x}a/a{y}", never), exact("/a{x}/{p+}", open))
    for (const method of ["GET", "OPTIONS"]) {
      assert.deepInclude(match(method, "/A1a/a1"), { _tag: "Closed", reason: "closed" })
      assert.strictEqual(match(method, "/a1/a1")._tag, "Public")
    }
  })

  it("lets no preflight pass where two operations only meet, and the stricter one is never for apps", () => {
    const never = { ...closed, neverForApps: "test" }
    const { match } = policyOf(["/{x}/b", open], ["/a/{y}", never])
    for (const method of ["GET", "OPTIONS"]) {
      assert.deepInclude(match(method, "/a/b"), { _tag: "Closed", reason: "closed" })
      assert.strictEqual(match(method, "/c/b")._tag, "Public")
    }
    const posted = [{ method: "GET", path: "/a/{y}", ...never }, { method: "POST", path: "/{x}/b", ...open }]
    assert.strictEqual(
      Result.getOrThrow(EndpointPolicy.load(JSON.stringify(posted))).match("OPTIONS", "/a/b")._tag,
      "Public"
    )
  })

  it.prop("closes every path that servers read in several ways", [
    Requests.disguised(formed.map(({ path }) => path))
  ], ([{ method, target }]) => {
    const { operation, requirement } = forms.find(method, target)
    assert.deepStrictEqual([operation, requirement._tag], [undefined, "Closed"], target)
  }, { arbitrary: { runs: 3000 } })
})

describe("the matcher", () => {
  it.prop("agrees with the naive one on listed paths, varied", [
    Requests.around(policy.endpoints.map((endpoint) => endpoint.path))
  ], ([{ method, target }]) => {
    assert.deepStrictEqual(matched(method, target), NaiveMatcher.match(policy.endpoints, method, target), target)
  }, { arbitrary: { runs: 3000 } })

  it.prop("agrees with the naive one on any list that loads", [
    Requests.list(Requests.smallPaths),
    Requests.around(Requests.smallPaths)
  ], ([list, call]) => {
    const loaded = EndpointPolicy.load(JSON.stringify(list))
    if (Result.isFailure(loaded)) return
    const { endpoints, match } = loaded.success
    assert.deepStrictEqual(match(call.method, call.target), NaiveMatcher.match(endpoints, call.method, call.target))
  }, { arbitrary: { runs: 3000 } })

  it.prop(
    "agrees with the naive one on any list of paths of all forms",
    [Requests.listAndCall()],
    ([{ call: { method, target }, list }]) => {
      const loaded = EndpointPolicy.load(JSON.stringify(list))
      if (Result.isFailure(loaded)) return
      const { endpoints, match } = loaded.success
      assert.deepStrictEqual(match(method, target), NaiveMatcher.match(endpoints, method, target))
      assert.deepStrictEqual(match("OPTIONS", target), NaiveMatcher.match(endpoints, "OPTIONS", target))
    },
    { arbitrary: { runs: 10_000 } }
  )

  it.prop("agrees with the naive one on paths of all forms, varied", [
    Requests.around(formed.map(({ path }) => path))
  ], ([{ method, target }]) => {
    assert.deepStrictEqual(forms.match(method, target), NaiveMatcher.match(forms.endpoints, method, target), target)
  }, { arbitrary: { runs: 3000 } })
})
