import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Duration, Effect, Layer } from "effect"
import { HttpRouter, HttpServer, type HttpServerError, type HttpServerRequest } from "effect/http"
import type { SqlClient } from "effect/sql"
import { Signer } from "../core/keys/Signer.ts"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import * as Database from "../foundation/database/Database.ts"
import type { DatabaseClock } from "../foundation/database/DatabaseClock.ts"
import type { DatabaseHosts } from "../foundation/database/DatabaseHosts.ts"
import { securityHeaders } from "../foundation/http/SecurityHeaders.ts"
import * as Logging from "../foundation/log/Logging.ts"
import { OperatorPort } from "../foundation/operator/OperatorPort.ts"
import * as RequestMetrics from "../foundation/operator/RequestMetrics.ts"
import { RouteTemplates } from "../foundation/operator/RouteTemplates.ts"
import * as Tracing from "../foundation/tracing/Tracing.ts"
import * as AccessLog from "./AccessLog.ts"
import * as AdmissionControl from "./AdmissionControl.ts"
import { Drain, ListeningServer } from "./Drain.ts"
import { OperatorServices, ServerChecks } from "./Operator.ts"
import { Routes } from "./Routes.ts"
import { LocalServices } from "./Services.ts"
import { StartBanner } from "./StartBanner.ts"
import { explainFailure } from "./StartFailure.ts"

// This room composes the server from the other rooms: routes over services over infrastructure. `main.ts` launches it;
// whoever embeds the server takes `Routes` and `Services` from `index.ts` instead.

type Provided =
  | AppConfig
  | DatabaseClock
  | DatabaseHosts
  | Layer.Success<typeof LocalServices>
  | Layer.Success<typeof OperatorServices>
  | SqlClient.SqlClient

/** The services that a layer beside the routes may use, when it is built and for each of its requests. */
type ServerServices =
  | HttpRouter.HttpRouter
  | HttpRouter.Request<"Error", HttpServerError.HttpServerError>
  | HttpRouter.Request<"Requires", HttpServerRequest.HttpServerRequest | Provided>
  | Provided

/**
 * Runs the server until a signal stops the process. An embedded server does its jobs itself: `loadWorkers` loads them only
 * there, for they would be a tenth of the memory of a server that runs none.
 */
export const launch = <E>(loadWorkers: () => Promise<Layer.Layer<never, E, ServerServices>>): void =>
  Layer.launch(server(loadWorkers)).pipe(explainFailure, NodeRuntime.runMain({ disableErrorReporting: true }))

const parts = <E>(loadWorkers: () => Promise<Layer.Layer<never, E, ServerServices>>) =>
  Layer.unwrap(Effect.gen(function*() {
    const { database } = yield* AppConfig
    return database._tag === "Server" ? Routes : Layer.merge(Routes, yield* Effect.promise(loadWorkers))
  }))

/** The HTTP server that limits and counts what is in work, with the limits of the settings. */
const createServer = Effect.fnUntraced(function*(metrics: RequestMetrics.RequestMetrics) {
  const config = yield* AppConfig
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const server = AdmissionControl.make({
    metrics,
    ...(config.trustedProxies === 0 ? { onForwarded: () => void run(unknownProxy) } : {}),
    slots: 128,
    timeout: 30,
    tokenTimeout: Duration.toMillis(config.tokenTimeout),
    requestTimeout: Duration.toMillis(config.requestTimeout),
    headers: securityHeaders(config)
  })
  if (config.accessLog === "on") AccessLog.keepAddresses(server)
  return server
})

const unknownProxy = Effect.logWarning(
  "A request came with X-Forwarded-For, and TRUSTED_PROXIES is 0. Behind a proxy all callers now share one address: one who " +
    "guesses passwords or secrets locks out the others. Set TRUSTED_PROXIES to the number of your proxies; without any, " +
    "the caller wrote the header himself."
)

const http = (metrics: RequestMetrics.RequestMetrics) =>
  Layer.unwrap(
    Effect.gen(function*() {
      const config = yield* AppConfig
      const server = yield* createServer(metrics)
      return Layer.merge(
        Layer.succeed(ListeningServer, server),
        NodeHttpServer.layer(() => server, {
          host: config.host,
          port: config.port,
          // Room for a burst of new connections; Node's default is 511.
          backlog: 4096,
          // `Drain` has closed all connections by then; nothing is to be waited for where a start failed.
          gracefulShutdownTimeout: "5 seconds"
        })
      )
    })
  )

/**
 * Serves routes. Listens once all of them are in place: a request that came earlier would never be answered. The thread
 * that signs has answered by then: the first exchange would spend its code and then wait for it, on a busy machine longer
 * than it may.
 */
export const listening = <E, R>(routes: Layer.Layer<never, E, R>) =>
  Layer.unwrap(Effect.gen(function*() {
    const templates = new RouteTemplates()
    const handler = yield* HttpRouter.toHttpEffect(Layer.provide(routes, templates.layer))
    const signer = yield* Signer
    yield* signer.sign([])
    const metrics = yield* AccessLog.around(yield* RequestMetrics.make(templates), templates)
    return Layer.provideMerge(HttpServer.serve(handler), http(metrics))
  }))

const server = <E>(loadWorkers: () => Promise<Layer.Layer<never, E, ServerServices>>) =>
  Layer.merge(StartBanner, Drain).pipe(
    // Shows that the server drains, so it is closed after it.
    Layer.provide(OperatorPort.layer("OPERATOR_PORT", ServerChecks)),
    Layer.provide(listening(parts(loadWorkers))),
    Layer.provide(NodeHttpServer.layerHttpServices),
    Layer.provide(LocalServices),
    Layer.provide(Database.layer),
    Layer.provide(OperatorServices),
    Layer.provide(Tracing.layer("slotkey")),
    Layer.provide(Logging.layer),
    Layer.provide(AppConfig.layer)
  )
