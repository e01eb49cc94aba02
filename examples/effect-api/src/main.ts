import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Config, Effect, Layer } from "effect"
import { FetchHttpClient, HttpRouter } from "effect/http"
import { createServer } from "node:http"
import { layerRemote } from "slotkey/resource"
import { routes } from "./Api.ts"

const settings = Config.all({
  baseUrl: Config.String("SLOTKEY_URL"),
  credential: Config.Redacted("SLOTKEY_CREDENTIAL"),
  port: Config.Port("PORT").pipe(Config.withDefault(8080))
})

Layer.unwrap(Effect.map(settings, ({ baseUrl, credential, port }) =>
  HttpRouter.serve(routes(baseUrl)).pipe(
    Layer.provide(layerRemote({ baseUrl, credential })),
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(NodeHttpServer.layer(createServer, { port }))
  ))).pipe(Layer.launch, NodeRuntime.runMain)
