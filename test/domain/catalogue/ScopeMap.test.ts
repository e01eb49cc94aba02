import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { catalogue } from "../../../src/domain/catalogue/BuiltInScope.ts"
import { builtIn } from "../../../src/domain/catalogue/Catalogue.ts"
import { EndpointPolicy, load } from "../../../src/domain/catalogue/EndpointPolicy.ts"
import { findOperations, findScopes, scopeMap, scopesOf } from "../../../src/domain/catalogue/ScopeMap.ts"
import { decide } from "../../../src/doors/resource/LibraryFunctions.ts"

layer(EndpointPolicy.layer)("the map of scopes", (it) => {
  it.effect("has each of the 363 operations in one place, and each of the 46 scopes", () =>
    Effect.gen(function*() {
      const { endpoints } = yield* EndpointPolicy
      const map = scopeMap(builtIn(), endpoints)
      const placed = [...[...map.byScope.values()].flat(), ...map.public, ...map.legacy, ...map.closed]
      assert.strictEqual(placed.length, 363)
      assert.sameMembers(placed, [...endpoints])
      assert.deepStrictEqual([...map.byScope.keys()], [...catalogue])
      assert.strictEqual(map.byScope.size, 46)
    }))

  it.effect("has each operation where the check of its calls admits it", () =>
    Effect.gen(function*() {
      const { endpoints } = yield* EndpointPolicy
      const map = scopeMap(builtIn(), endpoints)
      const admits = (scopes: Parameters<typeof decide>[1]) => (endpoint: (typeof endpoints)[number]) =>
        decide(endpoint.requirement, scopes)._tag === "Allowed"
      for (const [scope, operations] of map.byScope) {
        assert.isTrue(operations.every(admits([scope])), scope)
        assert.isFalse(operations.some(admits([])), scope)
        for (const wider of builtIn().wider(scope)) assert.isTrue(operations.every(admits([wider])), scope)
      }
      assert.isTrue(map.public.every(admits("none")))
      assert.isTrue(map.legacy.every((endpoint) => admits(null)(endpoint) && !admits(catalogue)(endpoint)))
      assert.isFalse(map.closed.some((endpoint) => admits(null)(endpoint)))
    }))

  const searches: ReadonlyArray<readonly [search: string, found: ReadonlyArray<string>]> = [
    ["GET /v2/bookings/abc-123/references", ["GET /v2/bookings/{bookingUid}/references"]],
    ["https://api.example.com/v2/bookings/1/references?take=2 get", ["GET /v2/bookings/{bookingUid}/references"]],
    ["post references", []],
    ["delete availability /v2/schedules", ["DELETE /v2/schedules/{scheduleId}"]]
  ]
  it.effect.each(searches)("finds by %s", ([search, found]) =>
    Effect.gen(function*() {
      const operations = findOperations(builtIn(), yield* EndpointPolicy, search)
      assert.deepStrictEqual(operations.map(({ method, path }) => `${method} ${path}`), found)
    }))

  it.effect("finds the operations of a scope by its name and by what it says", () =>
    Effect.gen(function*() {
      const policy = yield* EndpointPolicy
      const scopes = (search: string) => new Set(findOperations(builtIn(), policy, search).flatMap(scopesOf))
      assert.deepStrictEqual(scopes("org_webhook_write"), new Set(["ORG_WEBHOOK_WRITE"]))
      assert.isTrue(scopes("busy").has("APPS_READ"))
      assert.lengthOf(findOperations(builtIn(), policy, ""), 363)
    }))

  it.effect("finds the scopes that an app needs by what it does, and says what needs none", () =>
    Effect.gen(function*() {
      const policy = yield* EndpointPolicy
      const found = (search: string) => findScopes(builtIn(), policy, search)
      assert.include(found("confirm booking").scopes, "BOOKING_WRITE")
      assert.notInclude(found("confirm booking").scopes, "BOOKING_READ")
      // Cancelling a booking is public (specification §2.3).
      assert.deepStrictEqual(
        found("cancel booking").public.map(({ method, path }) => `${method} ${path}`),
        ["POST /v2/bookings/{bookingUid}/cancel"]
      )
      assert.deepStrictEqual(found("nothing like it"), { scopes: [], public: [] })
    }))
})

describe("an operation of several scopes", () => {
  const policy = Result.getOrThrow(load(JSON.stringify([
    { method: "GET", path: "/either", access: "scope", anyOf: ["BOOKING_WRITE", "BOOKING_READ"] },
    { method: "GET", path: "/both", access: "scope-if-token", allOf: ["BOOKING_READ", "APPS_READ"] }
  ])))

  it("is in the map at each of them", () => {
    const { byScope } = scopeMap(builtIn(), policy.endpoints)
    const paths = (["BOOKING_READ", "BOOKING_WRITE", "APPS_READ", "APPS_WRITE"] as const).map((scope) =>
      byScope.get(scope)?.map(({ path }) => path)
    )
    assert.deepStrictEqual(paths, [["/either", "/both"], ["/either"], ["/both"], []])
  })

  it("is found by each of them", () => {
    const found = (search: string) => findOperations(builtIn(), policy, search).map(({ path }) => path)
    assert.deepStrictEqual(found("BOOKING_READ"), ["/either", "/both"])
    assert.deepStrictEqual(found("booking_write"), ["/either"])
    assert.deepStrictEqual(found("busy"), ["/both"])
  })
})

describe("a wider scope", () => {
  it("is the one of the organization", () => {
    const { included, wider } = builtIn()
    assert.deepStrictEqual(wider("TEAM_BOOKING_READ"), ["ORG_BOOKING_READ"])
    assert.deepStrictEqual(included("ORG_BOOKING_READ"), ["TEAM_BOOKING_READ"])
    assert.deepStrictEqual(wider("TEAM_APPS_READ"), [])
    assert.deepStrictEqual(wider("BOOKING_READ"), [])
    assert.deepStrictEqual(included("ORG_WEBHOOK_READ"), [])
  })
})
