import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Schema } from "effect"
import { HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { needs, needsIfToken } from "../../../src/doors/resource/EndpointScope.ts"
import { oauth2 } from "../../../src/doors/resource/LibraryFunctions.ts"
import { Caller, PossibleCaller, RequireScope, ScopeIfToken } from "../../../src/doors/resource/RequireScope.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { succeed, success } from "../../../src/foundation/http/Envelope.ts"
import { ErrorBoundary } from "../../../src/foundation/web/ErrorBoundary.ts"
import { httpSender } from "../../support/HttpSender.ts"
import { AdmissionMock } from "./Fixture.ts"

const Answer = success(Schema.String)

const Bookings = HttpApiGroup.make("bookings").add(
  HttpApiEndpoint.get("list", "/v2/bookings", { success: Answer }).annotateMerge(needs("BOOKING_READ"))
    .middleware(RequireScope),
  HttpApiEndpoint.get("teams", "/v2/teams", { success: Answer }).annotateMerge(needs("TEAM_PROFILE_READ"))
    .middleware(RequireScope),
  HttpApiEndpoint.get("types", "/v2/event-types", { success: Answer }).annotateMerge(needsIfToken("EVENT_TYPE_READ"))
    .middleware(ScopeIfToken),
  HttpApiEndpoint.get("either", "/v2/either", { success: Answer })
    .annotateMerge(needs({ anyOf: ["BOOKING_WRITE", "BOOKING_READ"] })).middleware(RequireScope),
  HttpApiEndpoint.get("both", "/v2/both", { success: Answer })
    .annotateMerge(needsIfToken({ allOf: ["BOOKING_WRITE", "BOOKING_READ"] })).middleware(ScopeIfToken),
  HttpApiEndpoint.get("forgotten", "/v2/forgotten", { success: Answer }).middleware(RequireScope),
  HttpApiEndpoint.get("mixed", "/v2/mixed", { success: Answer }).annotateMerge(needs("BOOKING_READ"))
    .middleware(ScopeIfToken),
  HttpApiEndpoint.get("open", "/v2/slots", { success: Answer })
)
const Api = HttpApi.make("platform").add(Bookings).annotateMerge(
  oauth2({ authUrl: "https://auth.test", baseUrl: "https://api.test" })
)

const named = Effect.map(Caller, ({ clientId }) => succeed<string>(clientId))
const possible = Effect.map(
  PossibleCaller,
  (caller) => succeed<string>(Option.match(caller, { onNone: () => "nobody", onSome: ({ clientId }) => clientId }))
)
const Handlers = HttpApiBuilder.group(Api, "bookings", (handlers) =>
  handlers.handleAll({
    list: () => named,
    teams: () => named,
    types: () => possible,
    either: () => named,
    both: () => possible,
    forgotten: () => named,
    mixed: () => possible,
    open: () => Effect.succeed(succeed("open"))
  }))

const routes = HttpApiBuilder.layer(Api).pipe(
  Layer.merge(ErrorBoundary),
  Layer.provide(Handlers),
  Layer.provide([RequireScope.layer, ScopeIfToken.layer]),
  Layer.provide([AdmissionMock, HttpServer.layerServices, AppConfig.layerTest()])
)

const call = Effect.fnUntraced(function*(path: string, token?: string) {
  const headers: HeadersInit = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = yield* (yield* httpSender(routes))(path, { headers })
  const body = yield* Effect.promise(() => response.json())
  return { status: response.status, challenge: response.headers.get("www-authenticate"), body }
})

describe("an endpoint that needs a scope", () => {
  it.effect("knows its caller", () =>
    Effect.gen(function*() {
      const { body, status } = yield* call("/v2/bookings", "BOOKING_READ")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, { status: "success", data: "client_1" })
      assert.strictEqual((yield* call("/v2/teams", "ORG_PROFILE_READ")).status, 200)
      assert.strictEqual((yield* call("/v2/bookings", "legacy")).status, 200)
    }))

  it.effect("answers 401 and 403 as RFC 6750 defines them", () =>
    Effect.gen(function*() {
      const none = yield* call("/v2/bookings")
      assert.strictEqual(none.status, 401)
      assert.match(none.challenge ?? "", /^Bearer scope="BOOKING_READ", resource_metadata="https:[^"]+"$/)
      assert.strictEqual(none.body.error.code, "unauthorized")
      assert.strictEqual(none.body.path, "/v2/bookings")

      const invalid = yield* call("/v2/bookings", "revoked")
      assert.strictEqual(invalid.status, 401)
      assert.match(invalid.challenge ?? "", /^Bearer error="invalid_token", .*scope="BOOKING_READ"/)

      const narrow = yield* call("/v2/bookings", "BOOKING_WRITE")
      assert.strictEqual(narrow.status, 403)
      assert.match(narrow.challenge ?? "", /^Bearer error="insufficient_scope", .*scope="BOOKING_READ BOOKING_WRITE"/)
      assert.strictEqual(narrow.body.error.code, "insufficient_scope")
    }))

  it.effect("answers 503 when the token cannot be checked", () =>
    Effect.map(call("/v2/bookings", "busy"), ({ status }) => assert.strictEqual(status, 503)))

  it.effect("is closed when it names no scope, or not in the way that its middleware expects", () =>
    Effect.gen(function*() {
      for (const path of ["/v2/forgotten", "/v2/mixed"]) {
        for (const token of [undefined, "all", "legacy"]) assert.strictEqual((yield* call(path, token)).status, 403)
      }
    }))
})

describe("an endpoint that needs a scope of a token only", () => {
  it.effect("is open without one", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* call("/v2/event-types")).body.data, "nobody")
      assert.strictEqual((yield* call("/v2/event-types", "EVENT_TYPE_READ")).body.data, "client_1")
      assert.strictEqual((yield* call("/v2/event-types", "BOOKING_READ")).status, 403)
      assert.strictEqual((yield* call("/v2/event-types", "revoked")).status, 401)
    }))
})

describe("an endpoint that needs several scopes", () => {
  it.effect("takes any of them, or all of them", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* call("/v2/either", "BOOKING_WRITE")).status, 200)
      assert.strictEqual((yield* call("/v2/either", "BOOKING_READ")).status, 200)
      assert.match((yield* call("/v2/either", "APPS_READ")).challenge ?? "", /scope="BOOKING_READ APPS_READ"/)
      assert.strictEqual((yield* call("/v2/both")).status, 200)
      assert.strictEqual((yield* call("/v2/both", "all")).status, 200)
      const half = yield* call("/v2/both", "BOOKING_READ")
      assert.strictEqual(half.body.error.message, "This call needs the scope BOOKING_WRITE.")
      assert.match(
        (yield* call("/v2/both", "APPS_READ")).challenge ?? "",
        /scope="BOOKING_READ BOOKING_WRITE APPS_READ"/
      )
    }))
})

describe("the OpenAPI document", () => {
  const document = OpenApi.fromApi(Api)
  it("names the scope that each operation needs", () => {
    assert.deepStrictEqual(document.paths["/v2/bookings"]?.get?.security, [{ slotkey: ["BOOKING_READ"] }])
    assert.deepStrictEqual(document.paths["/v2/event-types"]?.get?.security, [{ slotkey: ["EVENT_TYPE_READ"] }, {}])
    assert.deepStrictEqual(document.paths["/v2/slots"]?.get?.security, [])
    assert.deepStrictEqual(document.paths["/v2/either"]?.get?.security, [
      { slotkey: ["BOOKING_WRITE"] },
      { slotkey: ["BOOKING_READ"] }
    ])
    assert.deepStrictEqual(document.paths["/v2/both"]?.get?.security, [
      { slotkey: ["BOOKING_WRITE", "BOOKING_READ"] },
      {}
    ])
    assert.containsAllKeys(document.paths["/v2/bookings"]?.get?.responses, ["200", "401", "403"])
  })

  it("names the addresses that issue tokens", () => {
    const scheme: unknown = document.components.securitySchemes["slotkey"]
    assert.nestedInclude(scheme, {
      type: "oauth2",
      "flows.authorizationCode.authorizationUrl": "https://auth.test/auth/oauth2/authorize",
      "flows.authorizationCode.tokenUrl": "https://api.test/v2/auth/oauth2/token",
      "flows.authorizationCode.scopes.BOOKING_READ": "See your bookings"
    })
  })
})
