import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Layer, Logger, Schema } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { SqlError } from "effect/sql"
import { Conflict } from "../../../src/domain/ApiError.ts"
import { TemporarilyUnavailable } from "../../../src/domain/OAuthError.ts"
import { Text } from "../../../src/domain/Text.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { refusals, succeed, success } from "../../../src/foundation/http/Envelope.ts"
import { JsonInput } from "../../../src/foundation/http/JsonInput.ts"
import { jsonInputLayer } from "../../../src/foundation/http/JsonInputLayer.ts"
import { formatLine } from "../../../src/foundation/log/Logging.ts"
import { OpenOutages } from "../../../src/foundation/log/OutageLog.ts"
import { ErrorBoundary } from "../../../src/foundation/web/ErrorBoundary.ts"
import { httpSender } from "../../support/HttpSender.ts"

const Things = HttpApiGroup.make("things").add(
  HttpApiEndpoint.post("create", "/v2/things", {
    payload: Schema.Struct({ name: Text(1, 5), others: Schema.Array(Text(1, 5)) }),
    success: success(Schema.Struct({ name: Schema.String })),
    error: refusals.conflict
  })
).middleware(JsonInput)
const Api = HttpApi.make("test").add(Things).annotate(HttpApi.ParseOptions, { errors: "all" })

const Handlers = HttpApiBuilder.group(
  Api,
  "things",
  (handlers) =>
    handlers.handle("create", ({ payload: { name } }) =>
      name === "taken"
        ? Effect.fail(new Conflict({ code: "name_taken", message: "That name is taken." }))
        : Effect.succeed(succeed({ name })))
)

const failing = (reason: SqlError.SqlErrorReason) => Effect.die(new SqlError.SqlError({ reason }))
const unreachable = failing(
  new SqlError.ConnectionError({ cause: new Error("refused"), message: "no connection" })
)
const readOnly = failing(new SqlError.UnknownError({ cause: Object.assign(new Error("read-only"), { code: "25006" }) }))
const locked = failing(new SqlError.LockTimeoutError({ cause: new Error("locked") }))

const routes = Layer.mergeAll(
  ErrorBoundary,
  HttpApiBuilder.layer(Api).pipe(Layer.provide(Handlers), Layer.provide(jsonInputLayer)),
  HttpRouter.add("GET", "/page", HttpServerResponse.text("a page")),
  HttpRouter.add("GET", "/v2/broken", Effect.die(new Error("hunter2"))),
  HttpRouter.add("GET", "/v2/broken/:id", Effect.die(new Error("hunter2"))),
  HttpRouter.add("GET", "/v2/away", unreachable),
  HttpRouter.add("GET", "/v2/read-only", readOnly),
  HttpRouter.add("GET", "/read-only", readOnly),
  HttpRouter.add("GET", "/locked", locked),
  HttpRouter.add("GET", "/full-mailbox", Effect.die(new TemporarilyUnavailable({ error_description: "busy" })))
).pipe(Layer.provide([HttpServer.layerServices, AppConfig.layerTest()]))

const send = Effect.fnUntraced(function*(path: string, init?: RequestInit) {
  const response = yield* (yield* httpSender(routes))(path, init)
  return { response, text: yield* Effect.promise(() => response.text()) }
})

const post = (body: BodyInit, contentType = "application/json") =>
  Effect.map(
    send("/v2/things?secret=1", { method: "POST", body, headers: { "content-type": contentType } }),
    ({ response, text }) => ({
      status: response.status,
      id: response.headers.get("x-request-id"),
      body: JSON.parse(text) as Body
    })
  )
interface Body {
  readonly path: string
  readonly timestamp: string
  readonly error: { readonly code: string; readonly details: ReadonlyArray<{ readonly path: string }> }
}

const notUtf8 = new Uint8Array([0x22, 0xff, 0x22])

describe("the error boundary", () => {
  it.effect("puts successes and errors in the envelope", () =>
    Effect.gen(function*() {
      const created = yield* post(JSON.stringify({ name: "one", others: [] }))
      assert.deepInclude(created, { status: 200, body: { status: "success", data: { name: "one" } } as never })

      const refused = yield* post(JSON.stringify({ name: "taken", others: [] }))
      assert.strictEqual(refused.status, 409)
      assert.deepStrictEqual(refused.body, {
        status: "error",
        timestamp: "1970-01-01T00:00:00.000Z",
        path: "/v2/things",
        requestId: refused.id,
        error: { code: "name_taken", message: "That name is taken.", details: [] }
      } as never)
    }))

  it.effect("names every field at fault", () =>
    Effect.gen(function*() {
      const { body, status } = yield* post(JSON.stringify({ name: "too long", others: ["ok", "nul\0"] }))
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(body.error.details.map(({ path }) => path), ["name", "others.1"])
    }))

  it.effect.each([
    { what: "malformed JSON", status: 400, code: "invalid_input", body: "{", type: "application/json" },
    { what: "no body", status: 400, code: "invalid_input", body: "", type: "application/json" },
    { what: "invalid UTF-8", status: 400, code: "invalid_encoding", body: notUtf8, type: "application/json" },
    { what: "a megabyte", status: 413, code: "payload_too_large", body: "x".repeat(1e6), type: "application/json" },
    { what: "another media type", status: 415, code: "unsupported_media_type", body: "name=one", type: "text/plain" }
  ])("refuses $what", ({ body, code, status, type }) =>
    Effect.gen(function*() {
      const refused = yield* post(body, type)
      assert.strictEqual(refused.status, status)
      assert.strictEqual(refused.body.error.code, code)
      assert.strictEqual(refused.body.path, "/v2/things")
    }))

  it.effect("answers an unknown path in the envelope to clients of the API, and as a page to people", () =>
    Effect.gen(function*() {
      const api = yield* send("/v2/nothing")
      assert.strictEqual(api.response.status, 404)
      assert.strictEqual((JSON.parse(api.text) as Body).error.code, "not_found")
      const page = yield* send("/nothing")
      assert.strictEqual(page.response.status, 404)
      assert.include(page.response.headers.get("content-type"), "text/html")
      assert.include(page.response.headers.get("content-security-policy"), "default-src 'none'")
    }))

  it.effect("answers a fault of the server with 500, and reveals no cause", () =>
    Effect.gen(function*() {
      const broken = yield* send("/v2/broken")
      assert.strictEqual(broken.response.status, 500)
      assert.notInclude(broken.text, "hunter2")
    }))

  it.effect.each([
    { path: "/v2/away", seconds: "5" },
    { path: "/v2/read-only", seconds: "5" },
    { path: "/read-only", seconds: "5" },
    { path: "/locked", seconds: "1" },
    { path: "/full-mailbox", seconds: "1" }
  ])(
    "answers 503 at $path, where the server is not at fault, and says when to try again",
    ({ path, seconds }) =>
      Effect.gen(function*() {
        const { response } = yield* send(path)
        assert.strictEqual(response.status, 503)
        assert.strictEqual(response.headers.get("retry-after"), seconds)
      })
  )

  it.effect("logs an outage once, and each fault of the server", () => {
    const lines: Array<unknown> = []
    return Effect.gen(function*() {
      for (const path of ["/v2/away", "/v2/away", "/v2/broken", "/v2/broken", "/full-mailbox"]) yield* send(path)
      assert.deepStrictEqual(lines, [
        ["The database cannot be reached. Check that PostgreSQL runs, and that DATABASE_URL names it."],
        ["A request failed", new Error("hunter2")],
        ["A request failed", new Error("hunter2")]
      ])
    }).pipe(
      Effect.provideService(OpenOutages, new Map()),
      Effect.provideService(
        Logger.CurrentLoggers,
        new Set([Logger.make(({ cause, message }) => {
          const texts = Array.isArray(message) ? message : [message]
          lines.push(cause.reasons.length === 0 ? texts : [...texts, Cause.squash(cause)])
        })])
      )
    )
  })

  it.effect("names the route of a failure in the log, and not the path, where a secret may stand for an id", () => {
    const lines: Array<unknown> = []
    return Effect.gen(function*() {
      yield* send("/v2/broken/hunter2?state=hunter2")
      const [line, ...more] = lines
      assert.deepInclude(line, { http_request_method: "GET", http_route: "/v2/broken/:id" })
      assert.isEmpty(more)
      assert.notInclude(JSON.stringify(line).replace("Error: hunter2", ""), "hunter2")
    }).pipe(
      Effect.provideService(Logger.CurrentLoggers, new Set([Logger.map(formatLine, (line) => lines.push(line))]))
    )
  })

  it.effect("names the request in the answer, in the envelope, on the page, and in the log", () => {
    const lines: Array<unknown> = []
    return Effect.gen(function*() {
      const headers = { "x-request-id": "caller's<1>" }
      const api = yield* send("/v2/broken", { headers })
      assert.strictEqual(api.response.headers.get("x-request-id"), "caller's<1>")
      assert.propertyVal(JSON.parse(api.text), "requestId", "caller's<1>")
      const page = yield* send("/nothing", { headers })
      assert.include(page.text, "Reference: <code>caller&#39;s&lt;1&gt;</code>")
      assert.strictEqual(page.response.headers.get("content-length"), String(Buffer.byteLength(page.text)))
      const fine = yield* send("/page", { headers })
      assert.deepStrictEqual([fine.response.headers.get("x-request-id"), fine.text], ["caller's<1>", "a page"])
      assert.deepStrictEqual(lines, ["caller's<1>"])
    }).pipe(
      Effect.provideService(
        Logger.CurrentLoggers,
        new Set([Logger.map(formatLine, (line) => lines.push(line["request_id"]))])
      )
    )
  })

  it.effect.each([
    { what: "none", given: undefined },
    { what: "one with a space", given: "a b" },
    { what: "one of 129 characters", given: "x".repeat(129) },
    { what: "one outside ASCII", given: "\u00e9" }
  ])("gives a request an id of its own that comes with $what", ({ given }) =>
    Effect.gen(function*() {
      const init = given === undefined ? {} : { headers: { "x-request-id": given } }
      const ids = [yield* send("/page", init), yield* send("/page", init)].map(({ response }) =>
        response.headers.get("x-request-id") ?? ""
      )
      assert.notStrictEqual(ids[0], ids[1])
      for (const id of ids) assert.match(id, /^[0-9a-f]{12}-[0-9a-z]+$/)
    }))

  it.effect("keeps an id of 128 characters", () =>
    Effect.gen(function*() {
      const id = "!".repeat(64) + "~".repeat(64)
      const { response } = yield* send("/page", { headers: { "x-request-id": id } })
      assert.strictEqual(response.headers.get("x-request-id"), id)
    }))

  it.effect("puts the security headers on every response", () =>
    Effect.gen(function*() {
      const { response } = yield* send("/page")
      assert.strictEqual(response.headers.get("x-content-type-options"), "nosniff")
      assert.strictEqual(response.headers.get("x-frame-options"), "DENY")
      assert.strictEqual(response.headers.get("strict-transport-security"), "max-age=31536000")
    }))
})
