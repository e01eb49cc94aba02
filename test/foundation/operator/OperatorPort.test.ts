// @effect-diagnostics strictEffectProvide:off
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { once } from "node:events"
import { connect } from "node:net"
import { OperatorServices } from "../../../src/app/Operator.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { OperatorPort } from "../../../src/foundation/operator/OperatorPort.ts"

const own = HttpRouter.add("GET", "/own", HttpServerResponse.text("a route of the worker process"))

const port = (env: Readonly<Record<string, string>> = {}) =>
  Layer.fresh(OperatorPort.layer("OPERATOR_PORT", own)).pipe(
    Layer.provide([NodeHttpServer.layerHttpServices, OperatorServices]),
    Layer.provide(AppConfig.layerTest({ OPERATOR_PORT: "0", ...env }))
  )

const get = (url: string) =>
  Effect.promise(async () => {
    const response = await fetch(url)
    return [response.status, await response.text()]
  })

describe("The operator's port", () => {
  it.live("is on loopback, and shows what every process has beside the routes of its own", () =>
    Effect.gen(function*() {
      const { url } = yield* OperatorPort
      assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/)
      assert.deepStrictEqual(yield* get(`${url}/healthz`), [200, `{"status":"ok"}`])
      assert.deepStrictEqual(yield* get(`${url}/own`), [200, "a route of the worker process"])
      assert.deepStrictEqual((yield* get(`${url}/none`))[0], 404)
    }).pipe(Effect.provide(port())))

  it.live("answers GET and HEAD, and names them to whoever tries another method", () =>
    Effect.gen(function*() {
      const { url } = yield* OperatorPort
      const ask = (method: string, path: string) =>
        Effect.promise(async () => {
          const { headers, status } = await fetch(url + path, { method })
          return [status, headers.get("allow")]
        })
      for (const path of ["/healthz", "/readyz", "/metrics"]) {
        assert.deepStrictEqual(yield* ask("GET", path), [200, null])
        assert.deepStrictEqual(yield* ask("HEAD", path), [200, null])
        for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"]) {
          assert.deepStrictEqual(yield* ask(method, path), [405, "GET, HEAD"], `${method} ${path}`)
        }
      }
      assert.deepStrictEqual(yield* ask("POST", "/none"), [404, null])
    }).pipe(Effect.provide(port())))

  it.live("is where OPERATOR_HOST says", () =>
    Effect.gen(function*() {
      const { url } = yield* OperatorPort
      assert.match(url, /^http:\/\/0\.0\.0\.0:\d+$/)
    }).pipe(Effect.provide(port({ OPERATOR_HOST: "0.0.0.0" }))))

  it.live("closes although somebody is in the middle of a request", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const { url } = yield* Effect.provide(OperatorPort, yield* Scope.provide(Layer.build(port()), scope))
      const socket = connect(Number(new URL(url).port), "127.0.0.1")
      const closed = once(socket, "close")
      yield* Effect.promise(async () => {
        await once(socket, "connect")
        await new Promise<void>((resolve) => socket.write("GET /healthz HTTP/1.1\r\n", () => resolve()))
      })
      yield* get(`${url}/healthz`)
      yield* Scope.close(scope, Exit.void)
      yield* Effect.promise(() => closed)
    }), 30_000)
})
