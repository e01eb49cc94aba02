import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { createServer } from "node:http"
import { LocalServices } from "../src/app/Services.ts"
import { explainFailure } from "../src/app/StartFailure.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import * as Database from "../src/foundation/database/Database.ts"
import * as Logging from "../src/foundation/log/Logging.ts"
import { Routes } from "./Routes.ts"
import { Jobs, Workers } from "./Workers.ts"

const Http = Layer.unwrap(
  Effect.map(AppConfig, ({ host, workerPort }) => NodeHttpServer.layer(createServer, { host, port: workerPort }))
)

// As in src/app/Server.ts: it listens once all parts are there.
const Listening = Layer.unwrap(
  Effect.map(
    HttpRouter.toHttpEffect(Layer.merge(Workers, Routes)),
    (answer) => Layer.provide(HttpServer.serve(answer), Http)
  )
)

const Process = Listening.pipe(
  Layer.provide(Jobs),
  Layer.provide(NodeHttpServer.layerHttpServices),
  Layer.provide(LocalServices),
  Layer.provide(Database.layerBeside),
  Layer.provide(Logging.layer),
  Layer.provide(AppConfig.layer)
)

Layer.launch(Process).pipe(explainFailure, NodeRuntime.runMain({ disableErrorReporting: true }))
