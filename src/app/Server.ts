import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer, Logger, References } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import * as Database from "../foundation/database/Database.ts"
import { securityHeaders } from "../foundation/http/SecurityHeaders.ts"
import * as AdmissionControl from "./AdmissionControl.ts"
import { Routes } from "./Routes.ts"
import { LocalServices } from "./Services.ts"
import { StartBanner } from "./StartBanner.ts"
import { explainFailure } from "./StartFailure.ts"

// This room composes the server from the other rooms: routes over services over infrastructure. `main.ts` runs it by
// importing this file; whoever embeds the server takes `Routes` and `Services` from `index.ts` instead.

// People read the log of an embedded server, programs the log of the others.
const Logging = Layer.unwrap(
  Effect.map(
    AppConfig,
    ({ database }) => Logger.layer([database._tag === "Server" ? Logger.consoleJson : Logger.consolePretty()])
  )
)

const Parts = Layer.unwrap(Effect.gen(function*() {
  const { database } = yield* AppConfig
  if (database._tag === "Server") return Routes
  // Loaded only where it is needed: the workers would be a tenth of the memory of a server that runs none.
  const { Embedded } = yield* Effect.promise(() => import("../../workers/Embedded.ts"))
  return Layer.merge(Routes, Embedded)
}))

// No exporter takes spans from this process, and making them costs a tenth of the time of a token request.
const Untraced = Layer.succeed(References.TracerEnabled, false)

const Http = Layer.unwrap(
  Effect.map(
    AppConfig,
    (config) =>
      NodeHttpServer.layer(() => AdmissionControl.make({ slots: 128, timeout: 30, headers: securityHeaders(config) }), {
        host: config.host,
        port: config.port,
        // Room for a burst of new connections; Node's default is 511.
        backlog: 4096,
        // Long enough for any request; browsers keep unused connections open, which would delay the stop for ever.
        gracefulShutdownTimeout: "5 seconds"
      })
  )
)

// Listens once all routes are in place: a request that came earlier would never be answered.
const Listening = Layer.unwrap(
  Effect.map(HttpRouter.toHttpEffect(Parts), (handler) => Layer.provide(HttpServer.serve(handler), Http))
)

const Server = StartBanner.pipe(
  Layer.provide(Listening),
  Layer.provide(NodeHttpServer.layerHttpServices),
  Layer.provide(LocalServices),
  Layer.provide(Database.layer),
  Layer.provide(Logging),
  Layer.provide(AppConfig.layer),
  Layer.provide(Untraced)
)

Layer.launch(Server).pipe(explainFailure, NodeRuntime.runMain({ disableErrorReporting: true }))
