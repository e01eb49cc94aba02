// @effect-diagnostics strictEffectProvide:off
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { GatewayRoutes } from "../../../src/doors/resource/GatewayRoutes.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { ErrorBoundary } from "../../../src/foundation/web/ErrorBoundary.ts"
import { freePort } from "../../support/FreePort.ts"
import {
  answering,
  documented,
  isAvailable,
  listen,
  type Received,
  run,
  send,
  upstream
} from "../../support/Gateway.ts"
import { temporaryFolder } from "../../support/TestDatabase.ts"
import { GuardMock } from "./Fixture.ts"

const routes = Layer.mergeAll(ErrorBoundary, GatewayRoutes).pipe(
  Layer.provide(GuardMock),
  Layer.provide(AppConfig.layerTest())
)

/** Caddy with the configuration of docs/gateway.md, between a client and a small API. */
class Caddy
  extends Context.Service<Caddy, { readonly port: number }>()("slotkey/test/doors/resource/Caddy.test/Caddy")
{
  static readonly layer = Layer.effect(
    Caddy,
    Effect.gen(function*() {
      const slotkey = yield* listen(routes)
      const platform = yield* upstream
      const port = yield* freePort
      const folder = yield* temporaryFolder
      const site = documented("gateway.md", "caddyfile")
        .replaceAll("127.0.0.1:3000", `127.0.0.1:${slotkey}`)
        .replaceAll("127.0.0.1:8080", `127.0.0.1:${platform}`)
        .replaceAll("127.0.0.1:8000", `127.0.0.1:${port}`)
      const file = join(folder, "Caddyfile")
      writeFileSync(file, `{\n\tadmin off\n\tlog {\n\t\toutput discard\n\t}\n}\n${site}\n`)
      yield* run("caddy", ["run", "--config", file, "--adapter", "caddyfile"], folder)
      yield* answering(port)
      return { port }
    })
  )
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const call = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  Effect.flatMap(Caddy, ({ port }) => send(port, path, headers, method))

const passed = (path: string, headers: Record<string, string>, method?: string) =>
  Effect.map(call(path, headers, method), ({ body, status }): Received => {
    assert.strictEqual(status, 200, body)
    return JSON.parse(body)
  })

describe.skipIf(!isAvailable("caddy"))("behind Caddy", () => {
  layer(Caddy.layer, { excludeTestServices: true })((it) => {
    it.effect("the API gets the call as it was sent, the caller's identity, and no token", () =>
      Effect.gen(function*() {
        const { headers, method, url } = yield* passed("/v2/bookings/a%20b/attendees?x=%2F", bearer("all"), "POST")
        assert.strictEqual(method, "POST")
        assert.strictEqual(url, "/v2/bookings/a%20b/attendees?x=%2F")
        assert.strictEqual(headers["x-slotkey-client"], "client_1")
        assert.include(headers["x-slotkey-scope"], "BOOKING_WRITE")
        assert.notProperty(headers, "authorization")
      }))

    it.effect("the client's own claims go", () =>
      Effect.gen(function*() {
        const forged = { "x-slotkey-user": "admin", "x-slotkey-scope": "*", "x-http-method-override": "DELETE" }
        const underscores = Object.fromEntries(Object.entries(forged).map(([k, v]) => [k.replaceAll("-", "_"), v]))
        for (const claims of [forged, underscores]) {
          const { headers } = yield* passed("/v2/bookings", claims, "POST")
          for (const value of ["admin", "*", "DELETE"]) assert.notInclude(Object.values(headers), value)
        }
      }))

    it.effect("no header of the client changes what is asked", () =>
      Effect.gen(function*() {
        for (const prefix of ["x-forwarded", "x-original"]) {
          const { status } = yield* call("/v2/bookings", {
            [`${prefix}-uri`]: "/v2/slots",
            [`${prefix}-method`]: "GET"
          })
          assert.strictEqual(status, 401, prefix)
        }
      }))

    it.effect("refusals reach the client as Slotkey gave them", () =>
      Effect.gen(function*() {
        const none = yield* call("/v2/bookings")
        assert.strictEqual(none.status, 401)
        assert.match(none.headers["www-authenticate"] ?? "", /^Bearer scope="BOOKING_READ", resource_metadata=/)
        assert.strictEqual(JSON.parse(none.body).path, "/v2/bookings")
        const narrow = yield* call("/v2/bookings", bearer("BOOKING_WRITE"))
        assert.strictEqual(narrow.status, 403)
        assert.strictEqual(JSON.parse(narrow.body).error.code, "insufficient_scope")
        assert.strictEqual((yield* call("/v2/bookings", bearer("busy"))).status, 503)
      }))

    it.effect("a path in disguise does not reach the API", () =>
      Effect.gen(function*() {
        for (
          const path of [
            "//v2/slots",
            "/v2//slots",
            "/v2/slots/",
            "/v2/slots/../bookings",
            "/v2/slots/%2e%2e/bookings",
            "/v2/slots%2f..%2fbookings",
            "/v2/bookings/a%2fattendees",
            "/v2/bookings/a%252fattendees",
            "/v2/bookings;a=b",
            "/V2/bookings",
            "/v2/Bookings"
          ]
        ) assert.include([400, 403, 404], (yield* call(path, bearer("all"))).status, path)
      }))
  })
})
