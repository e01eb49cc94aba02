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

// People read the log of an embedded server, programs that of the others.
const Logging = Layer.unwrap(
  Effect.map(
    AppConfig,
    ({ database }) => Logger.layer([database._tag === "Server" ? Logger.consoleJson : Logger.consolePretty()])
  )
)

const Parts = Layer.unwrap(Effect.gen(function*() {
  const { database } = yield* AppConfig
  if (database._tag === "Server") return Routes
  // What does jobs is loaded here alone: it would be a tenth of the memory of a server that does none.
  const { Embedded } = yield* Effect.promise(() => import("../../workers/Embedded.ts"))
  return Layer.merge(Routes, Embedded)
}))

// Nobody receives spans from this process, and making them costs a tenth of the time of a token request.
const Untraced = Layer.succeed(References.TracerEnabled, false)

const Http = Layer.unwrap(
  Effect.map(
    AppConfig,
    (config) =>
      NodeHttpServer.layer(() => AdmissionControl.make({ slots: 128, timeout: 30, headers: securityHeaders(config) }), {
        host: config.host,
        port: config.port,
        // Lets a burst of connections queue; the default of Node is 511.
        backlog: 4096,
        // A browser holds connections open that it has not used yet, and a request takes no longer.
        gracefulShutdownTimeout: "5 seconds"
      })
  )
)

// Listens when all parts are there: a request that came in before would never be answered.
const Listening = Layer.unwrap(
  Effect.map(HttpRouter.toHttpEffect(Parts), (answer) => Layer.provide(HttpServer.serve(answer), Http))
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
