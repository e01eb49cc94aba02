import { assert, describe, it } from "@effect/vitest"
import { callOf } from "../../../src/resource.ts"

const authorization = "Bearer token"

describe("callOf", () => {
  it("takes path and query of a request of the web standard", () => {
    const request = new Request("https://api.example.com:8443/v2/bookings?take=1", { headers: { authorization } })
    assert.deepStrictEqual(callOf(request), { method: "GET", target: "/v2/bookings?take=1", authorization })
    assert.isUndefined(callOf(new Request("https://api.example.com/v2/me")).authorization)
    // As adapters of Hono make them, without a parser of addresses.
    const raw = { method: "GET", url: "http://host/v2/slots/../bookings", headers: new Headers() }
    assert.strictEqual(callOf(raw).target, "/v2/slots/../bookings")
  })

  it("takes the target of a request of node:http", () => {
    const request = { method: "POST", url: "/bookings", headers: { authorization, get: "a header of this name" } }
    assert.deepStrictEqual(callOf(request), { method: "POST", target: "/bookings", authorization })
  })

  it.each([
    ["/v2/bookings?take=1", "/v2", "/bookings?take=1", "/v2/bookings?take=1"],
    ["/v2/bookings", "", "/v2/bookings", "/v2/bookings"],
    // Where nothing is left, Express adds a slash, which is not part of the path.
    ["/v2/me?x=1", "/v2/me", "/?x=1", "/v2/me?x=1"],
    ["/v2/me/?x=1", "/v2/me", "/?x=1", "/v2/me/?x=1"],
    // What the router goes by, when a program has rewritten the target on its way.
    ["/v2/slots", "", "/v2/bookings", "/v2/bookings"],
    ["/v2/slots", "/v2", "/bookings", "/v2/bookings"]
  ])("takes the whole target of a request of Express: %s below “%s” as %s", (originalUrl, baseUrl, url, target) => {
    assert.strictEqual(callOf({ method: "GET", url, baseUrl, originalUrl, headers: {} }).target, target)
  })

  it("takes the target that Fastify goes by, when its option rewriteUrl has made another one of it", () => {
    const request = { method: "GET", url: "/v2/bookings", originalUrl: "/v2/slots", headers: {} }
    assert.strictEqual(callOf(request).target, "/v2/bookings")
  })
})
