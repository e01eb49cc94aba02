import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Effect, Layer, Logger, References } from "effect"
import { HttpRouter } from "effect/http"
import { createServer } from "node:http"
import * as Dashboard from "../workers/Dashboard.ts"
import { Jobs, Workers } from "../workers/layer.ts"
import { PageSession } from "./accounts/PageSession.ts"
import { AppConfig } from "./AppConfig.ts"
import * as Database from "./database/Database.ts"
import { Routes } from "./http/Routes.ts"
import { Welcome } from "./http/Welcome.ts"
import { Services } from "./Services.ts"
import { explainFailure } from "./StartFailure.ts"

const Http = Layer.unwrap(Effect.map(AppConfig, ({ host, port }) => NodeHttpServer.layer(createServer, { host, port })))

// People read the log of an embedded server, programs that of the others.
const Logging = Layer.unwrap(
  Effect.map(
    AppConfig,
    ({ database }) => Logger.layer([database._tag === "Server" ? Logger.consoleJson : Logger.consolePretty()])
  )
)

// An embedded server does the jobs itself and shows their dashboard to administrators.
const Embedded = Layer.mergeAll(
  Routes,
  Workers,
  Dashboard.layer(Effect.flatMap(PageSession, ({ requireAdmin }) => requireAdmin))
).pipe(Layer.provide(Jobs))

const Parts = Layer.unwrap(
  Effect.map(AppConfig, ({ database }) => database._tag === "Server" ? Routes : Embedded)
)

// Nobody receives spans from this process, and making them costs a tenth of the time of a token request.
const Untraced = Layer.succeed(References.TracerEnabled, false)

const Server = Welcome.pipe(
  Layer.provideMerge(HttpRouter.serve(Parts, { disableLogger: true, disableListenLog: true })),
  Layer.provide(Http),
  Layer.provide(Services),
  Layer.provide(Database.layer),
  Layer.provide(Logging),
  Layer.provide(AppConfig.layer),
  Layer.provide(Untraced)
)

Layer.launch(Server).pipe(explainFailure, NodeRuntime.runMain({ disableErrorReporting: true }))
