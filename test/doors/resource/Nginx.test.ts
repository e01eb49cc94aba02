// @effect-diagnostics strictEffectProvide:off
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { GatewayRoutes } from "../../../src/doors/resource/GatewayRoutes.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { ErrorBoundary } from "../../../src/foundation/web/ErrorBoundary.ts"
import { freePort } from "../../support/FreePort.ts"
import { isAvailable, listen, nginx, type Received, send, upstream } from "../../support/Gateway.ts"
import { GuardMock } from "./Fixture.ts"

const routes = Layer.mergeAll(ErrorBoundary, GatewayRoutes).pipe(
  Layer.provide(GuardMock),
  Layer.provide(AppConfig.layerTest())
)

/** nginx with the configuration of docs/gateway.md, between a client and a small API. */
class Nginx extends Context.Service<Nginx, { readonly port: number; readonly withoutSlotkey: number }>()(
  "slotkey/test/doors/resource/Nginx.test/Nginx"
) {
  static readonly layer = Layer.effect(
    Nginx,
    Effect.gen(function*() {
      const slotkey = yield* listen(routes)
      const platform = yield* upstream
      return {
        port: yield* nginx({ slotkey, platform }),
        withoutSlotkey: yield* nginx({ slotkey: yield* freePort, platform })
      }
    })
  )
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const call = Effect.fnUntraced(function*(
  path: string,
  headers: Record<string, string | ReadonlyArray<string>> = {},
  method = "GET"
) {
  const { port } = yield* Nginx
  const answer = yield* send(port, path, headers, method)
  return { ...answer, json: answer.headers["content-type"] === "application/json" ? JSON.parse(answer.body) : null }
})

/** Request as it reached the API; fails if the call was not let through. */
const passed = (path: string, headers: Record<string, string | ReadonlyArray<string>>, method?: string) =>
  Effect.map(call(path, headers, method), ({ json, status }): Received => {
    assert.strictEqual(status, 200, path)
    return json
  })

describe.skipIf(!isAvailable("nginx"))("behind nginx", () => {
  layer(Nginx.layer, { excludeTestServices: true })((it) => {
    it.effect("the API gets the call as it was sent, the caller's identity, and no token", () =>
      Effect.gen(function*() {
        const { headers, method, url } = yield* passed("/v2/bookings?status=a%20b", bearer("all"))
        assert.strictEqual(method, "GET")
        assert.strictEqual(url, "/v2/bookings?status=a%20b")
        assert.strictEqual(headers["x-slotkey-client"], "client_1")
        assert.strictEqual(headers["x-slotkey-user"], "%C3%BCmit%40idp%2F7")
        assert.strictEqual(headers["x-slotkey-grant"], "01900000-0000-7000-8000-000000000001")
        assert.include(headers["x-slotkey-scope"], "BOOKING_READ BOOKING_WRITE")
        assert.notProperty(headers, "authorization")
      }))

    it.effect("escapes reach the API as they were checked", () =>
      Effect.gen(function*() {
        const { url } = yield* passed("/v2/bookings/a%20b%C3%A9/attendees", bearer("BOOKING_READ"))
        assert.strictEqual(url, "/v2/bookings/a%20b%C3%A9/attendees")
      }))

    it.effect("a public operation passes without identity, whatever the client claims", () =>
      Effect.gen(function*() {
        const forged = { "x-slotkey-user": "admin", "X-Slotkey-Scope": "*", "x_slotkey_user": "admin" }
        for (const token of [{}, bearer("revoked")]) {
          const { headers } = yield* passed("/v2/bookings", { ...forged, ...token }, "POST")
          assert.deepStrictEqual(Object.keys(headers).filter((name) => /slotkey|authorization/.test(name)), [])
        }
        const { headers } = yield* passed("/v2/bookings", { ...forged, ...bearer("all") }, "POST")
        assert.strictEqual(headers["x-slotkey-client"], "client_1")
        assert.notInclude(Object.values(headers), "admin")
      }))

    it.effect("a client without a token is challenged once, with the scope and where to get one", () =>
      Effect.gen(function*() {
        const { headers, json, rawHeaders, status } = yield* call("/v2/bookings")
        assert.strictEqual(status, 401)
        assert.match(
          headers["www-authenticate"] ?? "",
          /^Bearer scope="BOOKING_READ", resource_metadata="https:[^"]+"$/
        )
        assert.strictEqual(rawHeaders.filter((name) => name.toLowerCase() === "www-authenticate").length, 1)
        assert.strictEqual(headers["content-type"], "application/json")
        assert.strictEqual(json.error.code, "unauthorized")
      }))

    it.effect("a token that is no longer good, and one that lacks the scope, are told so", () =>
      Effect.gen(function*() {
        const revoked = yield* call("/v2/bookings", bearer("revoked"))
        assert.strictEqual(revoked.status, 401)
        assert.match(revoked.headers["www-authenticate"] ?? "", /^Bearer error="invalid_token"/)
        const narrow = yield* call("/v2/bookings/7/attendees", bearer("BOOKING_READ"), "POST")
        assert.strictEqual(narrow.status, 403)
        assert.match(
          narrow.headers["www-authenticate"] ?? "",
          /error="insufficient_scope".*scope="BOOKING_READ BOOKING_WRITE"/
        )
        assert.strictEqual(narrow.json.error.code, "forbidden")
      }))

    it.effect("no header of the client changes what is asked", () =>
      Effect.gen(function*() {
        for (const name of ["X-Original-URI", "x-original-uri", "X-Forwarded-Uri"]) {
          const { status } = yield* call("/v2/bookings", { [name]: "/v2/slots", "X-Original-Method": "GET" })
          assert.strictEqual(status, 401, name)
        }
        const twice = yield* call("/v2/bookings", { "x-original-uri": ["/v2/slots", "/v2/slots"] })
        assert.strictEqual(twice.status, 401)
        const overridden = yield* passed("/v2/bookings", {
          ...bearer("BOOKING_READ"),
          "x-http-method-override": "DELETE"
        })
        assert.notProperty(overridden.headers, "x-http-method-override")
      }))

    it.effect("a path in disguise does not reach the API", () =>
      Effect.gen(function*() {
        for (const path of disguised) {
          const { status } = yield* call(path, bearer("all"))
          assert.include([400, 403, 404], status, path)
        }
      }))

    it.effect("a whole address as the target is the path in it, to the check and to the API alike", () =>
      Effect.gen(function*() {
        assert.strictEqual((yield* passed("http://other.test/v2/slots?a=b", {})).url, "/v2/slots?a=b")
        assert.strictEqual((yield* call("http://other.test/v2/bookings")).status, 401)
        assert.strictEqual((yield* call("http://other.test/v2/slots/../bookings")).status, 403)
      }))

    it.effect("the gateway's own question can't be asked from outside", () =>
      Effect.gen(function*() {
        assert.strictEqual((yield* call("/_slotkey", bearer("all"))).status, 404)
      }))

    it.effect("a preflight passes where an app may call", () =>
      Effect.gen(function*() {
        const preflight = { origin: "https://app.test", "access-control-request-method": "GET" }
        assert.strictEqual((yield* passed("/v2/bookings", preflight, "OPTIONS")).method, "OPTIONS")
        assert.strictEqual((yield* call("/v2/credits/charge", preflight, "OPTIONS")).status, 403)
      }))

    it.effect("nothing passes while nobody can tell", () =>
      Effect.gen(function*() {
        const busy = yield* call("/v2/bookings", bearer("busy"))
        assert.strictEqual(busy.status, 503)
        assert.strictEqual(busy.headers["retry-after"], "1")
        const { withoutSlotkey } = yield* Nginx
        assert.strictEqual((yield* send(withoutSlotkey, "/v2/bookings", bearer("all"))).status, 503)
        assert.strictEqual((yield* send(withoutSlotkey, "/v2/slots")).status, 503)
      }))

    it.effect("Slotkey learns the caller's address from nginx, whatever the caller says", () =>
      Effect.gen(function*() {
        const received = yield* upstream
        const port = yield* nginx({ slotkey: received, platform: received })
        const answer = yield* send(port, "/v2/auth/oauth2/token", { "x-forwarded-for": "203.0.113.9" })
        assert.strictEqual(JSON.parse(answer.body).headers["x-forwarded-for"], "203.0.113.9, 127.0.0.1")
      }))
  })
})

const disguised = [
  "//v2/bookings",
  "/v2//bookings",
  "/v2/bookings/",
  "/v2/slots/../bookings",
  "/v2/slots/%2e%2e/bookings",
  "/v2/slots%2f..%2fbookings",
  "/v2/slots/..%2fbookings",
  "/v2/bookings/a%2fattendees",
  "/v2/bookings/a%252fattendees",
  "/v2/bookings/a\\attendees",
  "/v2/bookings/a%5cattendees",
  "/v2/bookings;a=b",
  "/v2/bookings/..;/slots",
  "/v2/bookings%00",
  "/v2/bookings/%zz",
  "/v2/bookings/%c0%af",
  "/V2/bookings",
  "/v2/Bookings",
  "/v2/../v2/bookings",
  "/./v2/bookings",
  "/x/../v2/bookings"
]
