import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Effect, Layer, Logger } from "effect"
import { HttpRouter } from "effect/http"
import { createServer } from "node:http"
import { AppConfig } from "../src/AppConfig.ts"
import * as Database from "../src/database/Database.ts"
import { Shell } from "../src/http/Shell.ts"
import { Services } from "../src/Services.ts"
import { explainFailure } from "../src/StartFailure.ts"
import * as Dashboard from "./Dashboard.ts"
import { Jobs, Workers } from "./layer.ts"
import { operator } from "./OperatorGuard.ts"
import * as OperatorRoutes from "./OperatorRoutes.ts"

const Http = Layer.unwrap(
  Effect.map(AppConfig, ({ host, workerPort }) => NodeHttpServer.layer(createServer, { host, port: workerPort }))
)

const Routes = Layer.mergeAll(Shell, OperatorRoutes.layer, Dashboard.layer(operator))

const Process = Layer.mergeAll(
  Workers,
  HttpRouter.serve(Routes, { disableLogger: true })
).pipe(
  Layer.provide(Http),
  Layer.provide(Jobs),
  Layer.provide(Services),
  Layer.provide(Database.layerBeside),
  Layer.provide(Logger.layer([Logger.consoleJson])),
  Layer.provide(AppConfig.layer)
)

Layer.launch(Process).pipe(explainFailure, NodeRuntime.runMain({ disableErrorReporting: true }))
