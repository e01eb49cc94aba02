import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { RefreshTokens } from "../../../src/core/tokens/RefreshTokens.ts"
import { ResourceServers } from "../../../src/core/tokens/ResourceServers.ts"
import { UsageReports } from "../../../src/core/usage/UsageReports.ts"
import type { GrantId } from "../../../src/domain/Ids.ts"
import { makeGuard } from "../../../src/resource.ts"
import * as Testing from "../../../src/testing.ts"
import { eventually } from "../../support/Eventually.ts"
import { approvedApp, layer as server } from "../../support/TestServer.ts"

/** An app with a grant for two scopes, its calls, and what was counted of them once a server has written its sums. */
const world = Effect.gen(function*() {
  const app = yield* approvedApp({ scopes: ["BOOKING_READ", "PROFILE_READ"] })
  const { access_token, refresh_token } = yield* app.tokens()
  const grantId = (yield* RefreshTokens).read(String(refresh_token))?.grantId ?? assert.fail("no refresh token of ours")
  const authorization = `Bearer ${access_token}`
  const gateway = (method: string, uri: string, token = authorization) =>
    app.ask("/v2/auth/oauth2/check/nginx", {
      headers: { ...(token && { authorization: token }), "x-original-method": method, "x-original-uri": uri }
    })
  return { ...app, access: String(access_token), grantId, gateway }
})

const usesOf = Effect.fnUntraced(function*(id: GrantId) {
  const use = (yield* (yield* UsageReports).ofGrants([id])).get(id)
  return Object.fromEntries((use?.uses ?? []).map(({ calls, need }) => [need, calls]))
})

const written = (id: GrantId, need: string) =>
  Effect.andThen(
    TestClock.adjust("1 second"),
    TestClock.withLive(eventually(Effect.map(usesOf(id), (uses) => uses[need] !== undefined)))
  )

layer(server({ USAGE_INTERVAL: "1 second" }))("Calls with a token", (it) => {
  it.effect("count at the gateway and at /v2/me, by what they needed and what became of them", () =>
    Effect.gen(function*() {
      const { access, client, gateway, grantId, me } = yield* world
      for (const page of ["1", "2", "3"]) yield* gateway("GET", `/v2/bookings?page=${page}`)
      yield* gateway("GET", "/v2/webhooks")
      yield* gateway("GET", "/v2/there-is-nothing-here")
      yield* gateway("GET", "/v2//bookings")
      // Neither without a token, nor with another one, nor what is public.
      yield* gateway("GET", "/v2/bookings", "")
      yield* gateway("GET", "/v2/bookings", "Bearer slk_nothing")
      yield* me(access)
      yield* written(grantId, "PROFILE_READ")
      assert.deepStrictEqual(yield* usesOf(grantId), { BOOKING_READ: 3, PROFILE_READ: 1 })
      const { days, operations } = yield* (yield* UsageReports).ofClient(client.id, 1)
      assert.deepStrictEqual(
        new Set(days.map(({ calls, need, outcome }) => `${outcome} ${need} ${calls}`)),
        new Set([
          "allowed BOOKING_READ 3",
          "allowed PROFILE_READ 1",
          "insufficient_scope WEBHOOK_READ 1",
          "unlisted  1",
          "malformed  1"
        ])
      )
      // No path and no query of a call is kept.
      assert.deepStrictEqual(
        new Set(operations.map(({ calls, operation, outcome }) => `${operation} ${outcome} ${calls}`)),
        new Set([
          "GET /v2/bookings allowed 3",
          "GET /v2/me allowed 1",
          "GET /v2/webhooks insufficient_scope 1"
        ])
      )
    }))

  it.effect("of public operations are not counted", () =>
    Effect.gen(function*() {
      const { access, client, gateway, grantId, me } = yield* world
      assert.strictEqual((yield* gateway("OPTIONS", "/v2/bookings")).status, 200)
      yield* me(access)
      yield* written(grantId, "PROFILE_READ")
      const { days } = yield* (yield* UsageReports).ofClient(client.id, 1)
      assert.deepStrictEqual(days.map(({ need }) => need), ["PROFILE_READ"])
    }))

  it.effect("are a use that nobody knows where a resource server asks about the token alone", () =>
    Effect.gen(function*() {
      const { access, grantId, post } = yield* world
      const { credential } = yield* (yield* ResourceServers).create("Bookings")
      const headers = { authorization: `Bearer ${Redacted.value(credential)}` }
      yield* post("/v2/auth/oauth2/introspect", { token: access }, headers)
      yield* post("/v2/auth/oauth2/introspect", { token: access }, { ...headers, "slotkey-usage": "reported" })
      yield* written(grantId, "")
      assert.deepStrictEqual(yield* usesOf(grantId), { "": 1 })
    }))

  it.effect("are reported by the library when its guard is closed, each once", () =>
    Effect.gen(function*() {
      const { access, client, grantId } = yield* world
      const { credential } = yield* (yield* ResourceServers).create("Bookings")
      const send = yield* Testing.server
      const guard = yield* Effect.promise(() =>
        makeGuard(
          { baseUrl: "https://slotkey.test", credential },
          (url, init) => Effect.runPromise(send(new Request(String(url), init)))
        )
      )
      const check = (target: string) =>
        Effect.promise(() => guard.check({ method: "GET", target, authorization: `Bearer ${access}` }))
      for (const page of ["1", "2"]) assert((yield* check(`/v2/bookings?page=${page}`)).allowed)
      assert.isFalse((yield* check("/v2/webhooks")).allowed)
      // What the program makes of the token itself is not known.
      const authorization = `Bearer ${access}`
      yield* Effect.promise(() => guard.checkToken({ method: "POST", target: "/mcp", authorization }))
      yield* Effect.promise(() => guard.close())
      assert.deepStrictEqual(yield* usesOf(grantId), { BOOKING_READ: 2, "": 1 })
      const { operations } = yield* (yield* UsageReports).ofClient(client.id, 2)
      assert.deepStrictEqual(
        operations.map(({ calls, operation, outcome }) => `${operation} ${outcome} ${calls}`),
        ["GET /v2/bookings allowed 2", "GET /v2/webhooks insufficient_scope 1"]
      )
    }))
})
