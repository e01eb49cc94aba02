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

  it("takes the target of a request of node:http, the whole of it under a mounted router", () => {
    const request = { method: "POST", url: "/bookings", headers: { authorization, get: "a header of this name" } }
    assert.deepStrictEqual(callOf(request), { method: "POST", target: "/bookings", authorization })
    assert.strictEqual(callOf({ ...request, originalUrl: "/v2/bookings" }).target, "/v2/bookings")
  })
})
