import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer, Schedule, Stream } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { connect } from "node:net"
import * as AdmissionControl from "../../src/app/AdmissionControl.ts"
import * as RequestMetrics from "../../src/foundation/operator/RequestMetrics.ts"
import { RouteTemplates } from "../../src/foundation/operator/RouteTemplates.ts"
import { eventually } from "../support/Eventually.ts"
import { samples, total } from "../support/Metrics.ts"

/** Paths whose handlers have been interrupted, and those whose handlers have cleaned up after that. */
class Interrupted
  extends Context.Service<Interrupted, { readonly paths: Set<string>; readonly cleanedUp: Set<string> }>()(
    "slotkey/test/app/RequestTimeouts.test/Interrupted"
  )
{
  static readonly layer = Layer.sync(Interrupted, () => ({ paths: new Set<string>(), cleanedUp: new Set<string>() }))
}

/** Never answers, and takes its time to clean up. */
const hang = Effect.gen(function*() {
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const { cleanedUp, paths } = yield* Interrupted
  const cleanUp = Effect.gen(function*() {
    paths.add(url)
    yield* Effect.sleep("2 seconds")
    cleanedUp.add(url)
  })
  return yield* Effect.onInterrupt(Effect.never, () => cleanUp)
})

const readBody = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { paths } = yield* Interrupted
  const read = Effect.onInterrupt(request.text, () => Effect.sync(() => paths.add(request.url)))
  return HttpServerResponse.text(yield* read)
})

// Begins at once and takes three times as long as a page may.
const download = HttpServerResponse.stream(
  Stream.fromIterable(["a", "b", "c", "d", "e", "f"]).pipe(
    Stream.schedule(Schedule.spaced("100 millis")),
    Stream.encodeText
  )
)

const routes = Layer.mergeAll(
  HttpRouter.add("*", "/v2/*", hang),
  HttpRouter.add("*", "/page", hang),
  HttpRouter.add("POST", "/v2/auth/oauth2/token", readBody),
  HttpRouter.add("POST", "/form", readBody),
  HttpRouter.add("GET", "/download", download),
  HttpRouter.add("GET", "/quick", HttpServerResponse.text("quick"))
)

const Server = HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
  Layer.provideMerge(Interrupted.layer),
  Layer.provideMerge(Layer.unwrap(
    Effect.map(
      RequestMetrics.make(new RouteTemplates()),
      (metrics) =>
        NodeHttpServer.layer(() =>
          AdmissionControl.make({
            slots: 128,
            timeout: 30,
            tokenTimeout: 100,
            requestTimeout: 200,
            headers: { "x-frame-options": "DENY" },
            metrics
          }), { host: "127.0.0.1", port: 0 })
    )
  ))
)

const port = Effect.map(HttpServer.HttpServer, ({ address }) => "port" in address ? address.port : 0)

const ask = (path: string, init?: RequestInit) =>
  Effect.flatMap(port, (port) =>
    Effect.promise(async () => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
      return { status: response.status, headers: response.headers, text: await response.text() }
    }))

/** All that the server answers to these bytes until it closes the connection. */
const raw = (bytes: string) =>
  Effect.flatMap(port, (port) =>
    Effect.callback<string>((resume) => {
      let text = ""
      const socket = connect(port, "127.0.0.1", () => void socket.write(bytes, "latin1"))
      socket.on("data", (chunk) => text += chunk.toString("latin1"))
      socket.on("close", () => resume(Effect.succeed(text)))
    }))

/** Number of requests that were counted with this status, or without one, and with it as the cause. */
const counted = (status: string | undefined) =>
  Effect.map(
    samples,
    (all) =>
      all.filter(({ labels, name }) =>
        name === "http_server_request_duration_seconds_count" && labels["http_response_status_code"] === status
      ).reduce((sum, { value }) => sum + value, 0)
  )

const wasInterrupted = (path: string) =>
  Effect.flatMap(Interrupted, ({ paths }) => eventually(Effect.sync(() => paths.has(path))))

describe("a request that is not answered in time", () => {
  layer(Server, { excludeTestServices: true })((it) => {
    it.effect.each([
      { path: "/v2/me", format: "application/json" },
      { path: "/v2/auth/oauth2/introspect", format: "application/json" },
      { path: "/v2/oauth-clients", format: "application/json" },
      { path: "/page", format: "text/html; charset=utf-8" }
    ])(
      "at $path gets 503 when the handler is interrupted, and before it has cleaned up",
      ({ format, path }) =>
        Effect.gen(function*() {
          const { headers, status, text } = yield* ask(path)
          assert.strictEqual(status, 503)
          assert.strictEqual(headers.get("retry-after"), "1")
          assert.strictEqual(headers.get("content-type"), format)
          assert.strictEqual(headers.get("connection"), "close")
          assert.strictEqual(headers.get("x-frame-options"), "DENY")
          assert.match(text, /could not answer in time/)
          assert.isTrue((yield* Interrupted).paths.has(path))
        })
    )

    it.effect("gets no body if it is a HEAD request", () =>
      Effect.gen(function*() {
        assert.match(yield* raw("HEAD /page HTTP/1.1\r\nHost: a\r\n\r\n"), /^HTTP\/1\.1 503 [^]*\r\n\r\n$/)
      }))

    it.effect.each([
      { path: "/v2/auth/oauth2/token", error: "\"error\":\"invalid_request\"" },
      { path: "/form", error: "The request did not arrive in time" }
    ])("because it never arrives as a whole gets 408 at $path", ({ error, path }) =>
      Effect.gen(function*() {
        const type = "Content-Type: application/x-www-form-urlencoded"
        const text = yield* raw(`POST ${path} HTTP/1.1\r\nHost: a\r\n${type}\r\nContent-Length: 10\r\n\r\ntoken`)
        assert.match(text, /^HTTP\/1\.1 408 Request Timeout\r\n/)
        assert.include(text, error)
        yield* wasInterrupted(path)
      }))

    it.effect("is counted by the status of its answer and its cause", () =>
      Effect.gen(function*() {
        const refused = total("slotkey_requests_refused_total", { error: "temporarily_unavailable" })
        const before = yield* Effect.all([counted("503"), refused])
        yield* ask("/v2/me")
        const after = Effect.all([counted("503"), refused])
        yield* eventually(Effect.map(after, (after) => after.every((count, i) => count === (before[i] ?? 0) + 1)))
      }))

    it.effect("is counted without a status if its client hangs up before", () =>
      Effect.gen(function*() {
        const before = yield* counted(undefined)
        yield* Effect.flatMap(port, (port) =>
          Effect.sync(() => {
            const socket = connect(port, "127.0.0.1", () => {
              socket.write("GET /page HTTP/1.1\r\nHost: a\r\n\r\n", () => socket.resetAndDestroy())
            })
          }))
        yield* eventually(Effect.map(counted(undefined), (after) => after === before + 1))
      }))

    it.effect("leaves the others of its connection unanswered", () =>
      Effect.gen(function*() {
        const text = yield* raw("GET /page HTTP/1.1\r\nHost: a\r\n\r\nGET /quick HTTP/1.1\r\nHost: a\r\n\r\n")
        assert.deepStrictEqual(text.match(/HTTP\/1\.1 \d+/g), ["HTTP/1.1 503"])
      }))

    it.effect("is no response that has begun: a long one arrives as a whole", () =>
      Effect.gen(function*() {
        assert.strictEqual((yield* ask("/download")).text, "abcdef")
      }))
  })
})
