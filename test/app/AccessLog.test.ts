// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { connect } from "node:net"
import * as AccessLog from "../../src/app/AccessLog.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as RequestMetrics from "../../src/foundation/operator/RequestMetrics.ts"
import { RouteTemplates } from "../../src/foundation/operator/RouteTemplates.ts"
import { eventually } from "../support/Eventually.ts"
import { layer as server, LiveServer, newConnection } from "../support/LiveServer.ts"
import { LogLines } from "../support/LogLines.ts"

const logging = server({ ACCESS_LOG: "on", TRUSTED_PROXIES: "1" }).pipe(Layer.provideMerge(LogLines.layer))

const ask = (path: string, headers: Readonly<Record<string, string>> = {}, init: RequestInit = {}) =>
  Effect.flatMap(
    LiveServer,
    ({ url }) => Effect.promise(() => fetch(url + path, { redirect: "manual", ...init, headers }))
  )

/** Waits for the line of a request; it is written after the answer. */
const lineOf = Effect.fnUntraced(function*(requestId: string) {
  const log = yield* LogLines
  const lines = () => log.all.filter(({ request_id, seconds }) => request_id === requestId && seconds !== undefined)
  yield* eventually(Effect.sync(() => lines().length > 0))
  assert.lengthOf(lines(), 1)
  const { seconds, timestamp, ...line } = lines()[0] ?? {}
  assert.isString(timestamp)
  assert.isAbove(Number(seconds), 0)
  assert.isBelow(Number(seconds), 60)
  return line
})

layer(logging, { excludeTestServices: true })("the access log", (it) => {
  it.effect("has a line for a request: route, method, status, time, address and id", () =>
    Effect.gen(function*() {
      const { accessToken } = yield* newConnection()
      const headers = { authorization: `Bearer ${accessToken}`, "x-forwarded-for": "203.0.113.9, 192.0.2.7" }
      yield* ask("/v2/me?a=b", { ...headers, "x-request-id": "mine" })
      assert.deepStrictEqual(yield* lineOf("mine"), {
        level: "INFO",
        message: "A request was answered",
        http_request_method: "GET",
        http_route: "/v2/me",
        http_response_status_code: 200,
        address: "192.0.2.7",
        request_id: "mine"
      })
    }))

  it.effect("has the cause for which a request was refused, and the id that the server gave it", () =>
    Effect.gen(function*() {
      const answer = yield* ask("/v2/auth/oauth2/token", {}, { method: "POST", body: new URLSearchParams({ a: "b" }) })
      assert.deepInclude(yield* lineOf(answer.headers.get("x-request-id") ?? ""), {
        http_request_method: "POST",
        http_route: "/v2/auth/oauth2/token",
        http_response_status_code: 400,
        error: "invalid_request"
      })
    }))

  it.effect("tells of a client that hung up before its answer, and where it was", () =>
    Effect.gen(function*() {
      const { url } = yield* LiveServer
      const type = "content-type: application/x-www-form-urlencoded"
      const head = ["POST /v2/auth/oauth2/token HTTP/1.1", "host: a", "x-request-id: gone", type, "content-length: 9"]
      yield* Effect.callback<void>((resume) => {
        const socket = connect(Number(new URL(url).port), "127.0.0.1", () =>
          socket.write(`${head.join("\r\n")}\r\n\r\na=b`, () =>
            setImmediate(() => socket.destroy())))
        socket.on("close", () =>
          resume(Effect.void))
      })
      assert.deepStrictEqual(yield* lineOf("gone"), {
        level: "INFO",
        message: "A client hung up before its answer",
        http_request_method: "POST",
        http_route: "/v2/auth/oauth2/token",
        address: "127.0.0.1",
        request_id: "gone"
      })
    }))

  it.effect("has nothing that a caller sent but that", () =>
    Effect.gen(function*() {
      const log = yield* LogLines
      const secret = "something-secret"
      const headers = { authorization: `Bearer ${secret}`, cookie: secret, "user-agent": secret, referer: secret }
      const paths = [`/${secret}`, `/review/${secret}`, `/v2/oauth-clients/${secret}`, `/sign-in?token=${secret}`]
      yield* Effect.forEach(paths, (path, i) => ask(path, { ...headers, "x-request-id": `odd-${i}` }))
      const routes = yield* Effect.forEach(paths, (_, i) =>
        Effect.map(lineOf(`odd-${i}`), ({ http_route }) => http_route))
      assert.deepStrictEqual(routes, ["unmatched", "/review/:id", "/v2/oauth-clients/:id", "/sign-in"])
      assert.notInclude(JSON.stringify(log.all), secret)
    }))
})

describe("a server without ACCESS_LOG", () => {
  it.effect("counts its requests, and does nothing more for them", () =>
    Effect.gen(function*() {
      const templates = new RouteTemplates()
      const metrics = yield* RequestMetrics.make(templates)
      const config = AppConfig.layerTest()
      assert.strictEqual(yield* Effect.provide(AccessLog.around(metrics, templates), config), metrics)
    }))
})
