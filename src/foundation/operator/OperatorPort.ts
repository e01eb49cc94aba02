import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, Layer, References, Schema } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { createServer } from "node:http"
import { AppConfig } from "../config/AppConfig.ts"
import { OperatorRoutes } from "./OperatorRoutes.ts"

/** A port that the process cannot listen on, by the settings that name it. */
export class OperatorPortError extends Schema.TaggedError<OperatorPortError>()("OperatorPortError", {
  cause: Schema.Defect(),
  hostSetting: Schema.String,
  portSetting: Schema.String
}) {}

/** Port for operators, which need not be reachable from where the requests of apps come. */
export class OperatorPort extends Context.Service<OperatorPort, {
  /** Its base address, without a trailing slash. */
  readonly url: string
}>()("slotkey/foundation/operator/OperatorPort") {
  /**
   * Serves the operator's routes, and those given. A server listens on `OPERATOR_PORT`, a worker process on
   * `WORKER_PORT`; it listens once all that the routes need is there.
   */
  static readonly layer = <A, E, R>(portSetting: keyof typeof ports, routes: Layer.Layer<A, E, R>) =>
    Layer.unwrap(Effect.gen(function*() {
      const config = yield* AppConfig
      const handler = yield* HttpRouter.toHttpEffect(Layer.merge(OperatorRoutes, routes))
      const server = createServer()
      const listening = NodeHttpServer.layer(() => server, {
        host: config.operatorHost,
        port: ports[portSetting](config),
        gracefulShutdownTimeout: "1 second"
      }).pipe(Layer.catchTag("ServeError", ({ cause }) =>
        Layer.effectContext(
          Effect.fail(new OperatorPortError({ cause, hostSetting: "OPERATOR_HOST", portSetting }))
        )))
      // A connection that a tool keeps open, in the middle of a request even, does not delay the stop.
      const closed = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections())))
      const address = Layer.effect(
        OperatorPort,
        HttpServer.addressFormattedWith((url) => Effect.succeed(OperatorPort.of({ url })))
      )
      return Layer.merge(HttpServer.serve(handler), address).pipe(
        Layer.provide(Untraced),
        Layer.provideMerge(closed),
        Layer.provide(listening)
      )
    }))
}

// Probes come every few seconds, and nobody follows one.
const Untraced = Layer.succeed(References.TracerEnabled, false)

const ports = {
  OPERATOR_PORT: ({ operatorPort }: AppConfig["Service"]) => operatorPort,
  WORKER_PORT: ({ workerPort }: AppConfig["Service"]) => workerPort
}
