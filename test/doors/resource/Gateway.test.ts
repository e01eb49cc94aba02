import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { GatewayRoutes } from "../../../src/doors/resource/GatewayRoutes.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { ErrorBoundary } from "../../../src/foundation/web/ErrorBoundary.ts"
import { httpSender } from "../../support/HttpSender.ts"
import { CountingGuardMock, GuardMock, principal, refused } from "./Fixture.ts"

const routes = Layer.mergeAll(ErrorBoundary, GatewayRoutes).pipe(
  Layer.provide([HttpServer.layerServices, AppConfig.layerTest()])
)
const check = "/v2/auth/oauth2/check"
const metadata = `resource_metadata="https://slotkey.test/.well-known/oauth-protected-resource"`

const ask = Effect.fnUntraced(function*(path: string, headers: Record<string, string>, method = "GET") {
  const response = yield* (yield* httpSender(routes))(path, { method, headers })
  return { response, text: yield* Effect.promise(() => response.text()) }
})
const nginx = (method: string, target: string, token?: string) =>
  ask(`${check}/nginx`, {
    "x-original-method": method,
    "x-original-uri": target,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
  })

layer(GuardMock)("the gateway's question", (it) => {
  it.effect("is answered with the caller", () =>
    Effect.gen(function*() {
      const { response, text } = yield* nginx("GET", "/v2/bookings?take=1", "all")
      assert.strictEqual(response.status, 200)
      assert.strictEqual(text, "")
      assert.strictEqual(response.headers.get("x-slotkey-user"), encodeURIComponent(principal([]).userId))
      assert.strictEqual(response.headers.get("x-slotkey-client"), "client_1")
      assert.strictEqual(response.headers.get("x-slotkey-grant"), "01900000-0000-7000-8000-000000000001")
      assert.match(response.headers.get("x-slotkey-scope") ?? "", /^EVENT_TYPE_READ EVENT_TYPE_WRITE /)
      assert.strictEqual(response.headers.get("cache-control"), "no-store")
    }))

  it.effect("marks a legacy grant with a text that is no scope", () =>
    Effect.gen(function*() {
      const { response } = yield* nginx("DELETE", "/v2/schedules/7", "legacy")
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.headers.get("x-slotkey-scope"), "*")
      assert.strictEqual((yield* nginx("GET", "/v2/workflows", "legacy")).response.status, 200)
      assert.strictEqual((yield* nginx("GET", "/v2/credits/available", "legacy")).response.status, 403)
    }))

  it.effect.each([
    { method: "POST", target: "/v2/bookings", token: undefined },
    { method: "POST", target: "/v2/bookings", token: "revoked" },
    { method: "GET", target: "/v2/event-types", token: undefined },
    { method: "OPTIONS", target: "/v2/me", token: undefined }
  ])(
    "lets $method $target with $token pass as nobody in particular",
    ({ method, target, token }) =>
      Effect.gen(function*() {
        const { response } = yield* nginx(method, target, token)
        assert.strictEqual(response.status, 200)
        for (const name of ["user", "client", "grant", "scope"]) {
          assert.strictEqual(response.headers.get(`x-slotkey-${name}`), "")
        }
      })
  )

  it.effect("names the caller of a public operation with a valid token of any scope", () =>
    Effect.gen(function*() {
      const { response } = yield* nginx("POST", "/v2/bookings", "WEBHOOK_READ")
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.headers.get("x-slotkey-client"), "client_1")
    }))

  it.effect("asks for a token, without an error code (RFC 6750 §3.1)", () =>
    Effect.gen(function*() {
      const { response, text } = yield* nginx("GET", "/v2/bookings?x=1")
      assert.strictEqual(response.status, 401)
      assert.strictEqual(response.headers.get("www-authenticate"), `Bearer scope="BOOKING_READ", ${metadata}`)
      const body = JSON.parse(text)
      assert.strictEqual(body.status, "error")
      assert.strictEqual(body.path, "/v2/bookings")
      assert.strictEqual(body.error.code, "unauthorized")
    }))

  it.effect("refuses a token that is no longer valid, and names the scope for the next one", () =>
    Effect.gen(function*() {
      for (
        const [target, scope] of [["/v2/bookings", "BOOKING_READ"], ["/v2/event-types", "EVENT_TYPE_READ"]] as const
      ) {
        const { response } = yield* nginx("GET", target, "revoked")
        assert.strictEqual(response.status, 401)
        assert.strictEqual(
          response.headers.get("www-authenticate"),
          `Bearer error="invalid_token", error_description="The access token is expired, revoked or malformed", ` +
            `scope="${scope}", ${metadata}`
        )
      }
    }))

  it.effect("refuses a malformed credential, and ignores one of another scheme", () =>
    Effect.gen(function*() {
      const headers = { "x-original-method": "GET", "x-original-uri": "/v2/bookings" }
      const malformed = yield* ask(`${check}/nginx`, { ...headers, authorization: "Bearer all, Bearer all" })
      assert.include(malformed.response.headers.get("www-authenticate"), "invalid_token")
      const basic = yield* ask(`${check}/nginx`, { ...headers, authorization: "Basic YWxs" })
      assert.strictEqual(basic.response.status, 401)
      assert.notInclude(basic.response.headers.get("www-authenticate"), "error")
    }))

  it.effect("names the scope that a token lacks", () =>
    Effect.gen(function*() {
      const { response, text } = yield* nginx("GET", "/v2/bookings", "BOOKING_WRITE")
      assert.strictEqual(response.status, 403)
      assert.strictEqual(
        response.headers.get("www-authenticate"),
        `Bearer error="insufficient_scope", error_description="This call needs the scope BOOKING_READ", ` +
          `scope="BOOKING_READ BOOKING_WRITE", ${metadata}`
      )
      assert.strictEqual(JSON.parse(text).error.code, "insufficient_scope")
      assert.strictEqual((yield* nginx("GET", "/v2/teams", "ORG_PROFILE_READ")).response.status, 200)
      assert.strictEqual((yield* nginx("GET", "/v2/event-types", "BOOKING_READ")).response.status, 403)
    }))

  it.effect("closes operations that are not listed and paths that are ambiguous, before any token is verified", () =>
    Effect.gen(function*() {
      for (
        const target of [
          "/v2/nothing",
          "/v2/oauth-clients",
          "/v2/slots/../bookings",
          "/v2/slots%2f..%2fme",
          "//v2/slots"
        ]
      ) {
        for (const token of [undefined, "all", "busy"]) {
          const { response } = yield* nginx("GET", target, token)
          assert.strictEqual(response.status, 403, target)
          const challenge = response.headers.get("www-authenticate")
          assert.strictEqual(challenge?.includes("insufficient_scope"), token !== undefined)
        }
      }
    }))

  it.effect("answers 503 when the token cannot be checked", () =>
    Effect.gen(function*() {
      const { response } = yield* nginx("GET", "/v2/bookings", "busy")
      assert.strictEqual(response.status, 503)
      assert.strictEqual(response.headers.get("retry-after"), "1")
    }))

  it.effect("lets nothing pass with a token when the check itself breaks, public or not", () =>
    Effect.gen(function*() {
      for (const target of ["/v2/bookings", "/v2/slots", "/v2/event-types"]) {
        assert.strictEqual((yield* nginx("GET", target, "away")).response.status, 500)
      }
    }))
})

layer(CountingGuardMock)("the question about what is closed to all", (it) => {
  it.effect("counts the app that calls it, and is answered without knowing the app, too", () =>
    Effect.gen(function*() {
      for (const token of ["legacy", "busy", "away", "revoked", undefined]) {
        assert.strictEqual((yield* nginx("GET", "/v2/credits/available", token)).response.status, 403, token)
      }
      assert.deepStrictEqual(refused, ["client_1 closed GET /v2/credits/available"])
    }))
})

layer(GuardMock)("where the call stands", (it) => {
  const bearer = { authorization: "Bearer BOOKING_READ" }
  const bookings = { "x-original-method": "GET", "x-original-uri": "/v2/bookings" }
  const forwarded = { "x-forwarded-method": "GET", "x-forwarded-uri": "/v2/bookings" }
  const status = (path: string, headers: Record<string, string>, method?: string) =>
    Effect.map(ask(path, headers, method), ({ response }) => response.status)

  it.effect("is read from the headers of its gateway alone", () =>
    Effect.gen(function*() {
      const webhooks = { "x-original-method": "GET", "x-original-uri": "/v2/webhooks" }
      const forwardedWebhooks = { "x-forwarded-method": "GET", "x-forwarded-uri": "/v2/webhooks" }
      assert.strictEqual(yield* status(`${check}/nginx`, { ...bearer, ...bookings, ...forwardedWebhooks }), 200)
      assert.strictEqual(yield* status(`${check}/nginx`, { ...bearer, ...webhooks, ...forwarded }), 403)
      assert.strictEqual(yield* status(`${check}/forwarded`, { ...bearer, ...forwarded, ...webhooks }), 200)
      assert.strictEqual(yield* status(`${check}/forwarded`, { ...bearer, ...forwardedWebhooks, ...bookings }), 403)
      assert.strictEqual(yield* status(`${check}/envoy/v2/bookings`, { ...bearer, ...webhooks }), 200)
      assert.strictEqual(yield* status(`${check}/envoy/v2/webhooks`, { ...bearer, ...bookings, ...forwarded }), 403)
    }))

  it.effect("must be given, and only once", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* status(`${check}/nginx`, { ...bearer, ...forwarded }), 400)
      assert.strictEqual(yield* status(`${check}/nginx`, { ...bearer, "x-original-uri": "/v2/slots" }), 400)
      assert.strictEqual(yield* status(`${check}/nginx`, { ...bearer, "x-original-method": "GET" }), 400)
      assert.strictEqual(yield* status(`${check}/forwarded`, { ...bearer, ...bookings }), 400)
      const twoTargets = { ...bearer, ...bookings, "x-original-uri": "/v2/slots, /v2/bookings" }
      assert.strictEqual(yield* status(`${check}/nginx`, twoTargets), 403)
      const twoMethods = { ...bearer, ...bookings, "x-original-method": "GET, GET" }
      assert.strictEqual(yield* status(`${check}/nginx`, twoMethods), 403)
    }))

  it.effect("comes from Envoy as the call itself, its method, path and query kept", () =>
    Effect.gen(function*() {
      const envoy = `${check}/envoy`
      const long = "a".repeat(600)
      assert.strictEqual(yield* status(`${envoy}/v2/bookings?take=1`, bearer), 200)
      assert.strictEqual(yield* status(`${envoy}/v2/bookings/${long}/attendees`, bearer), 200)
      assert.strictEqual(yield* status(`${envoy}/v2/bookings/${long}/attendees`, bearer, "POST"), 403)
      assert.strictEqual(yield* status(`${envoy}/v2/bookings`, bearer, "PATCH"), 403)
      assert.strictEqual(yield* status(`${envoy}/v2/bookings`, bearer, "HEAD"), 200)
      assert.strictEqual(yield* status(`${envoy}/v2/bookings`, {}, "OPTIONS"), 200)
      assert.strictEqual(yield* status(`${envoy}/v2/slots`, {}), 200)
      assert.strictEqual(yield* status(`${envoy}/v2//slots`, {}), 403)
      assert.strictEqual(yield* status(`${envoy}//v2/slots`, {}), 403)
      assert.strictEqual(yield* status(`${envoy}/v2/slots/`, {}), 403)
      assert.strictEqual(yield* status(`${envoy}/v2/slots%2f`, {}), 403)
      assert.strictEqual(yield* status(`${envoy}/`, {}), 403)
      assert.strictEqual(yield* status(envoy, {}), 400)
    }))
})
