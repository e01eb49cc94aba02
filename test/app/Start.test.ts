// @effect-diagnostics strictEffectProvide:off
import { it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { server } from "../../src/app/Server.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Database from "../../src/foundation/database/Database.ts"
import { eventually } from "../support/Eventually.ts"
import { freePort } from "../support/FreePort.ts"
import { temporaryFolder } from "../support/TestDatabase.ts"

const statusOf = (url: string) => Effect.promise(() => fetch(url).then(({ status }) => status, () => 0))

const dashboard = HttpRouter.add("*", "/queues/*", Effect.succeed(HttpServerResponse.text("queues")))

it.live(
  "an embedded server answers and is ready before its workers are loaded, and counts requests for what they add",
  () =>
    Effect.scoped(Effect.gen(function*() {
      const [port, operatorPort] = yield* Effect.all([freePort, freePort])
      const address = `http://127.0.0.1:${port}`
      const env = {
        DATA_DIR: yield* temporaryFolder,
        HOST: "127.0.0.1",
        PORT: String(port),
        OPERATOR_PORT: String(operatorPort)
      }
      const loaded = Promise.withResolvers<typeof dashboard>()
      const whole = server(() => loaded.promise).pipe(Layer.provide(Database.layer), Layer.provide(AppConfig.layer))
      yield* Layer.build(whole).pipe(
        Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))),
        Effect.forkScoped
      )

      yield* eventually(Effect.map(statusOf(`${address}/.well-known/jwks.json`), (status) => status === 200))
      yield* eventually(Effect.map(statusOf(`http://127.0.0.1:${operatorPort}/readyz`), (status) => status === 200))

      loaded.resolve(dashboard)
      yield* eventually(Effect.map(statusOf(`${address}/queues/queue`), (status) => status === 200))
      const metrics = `http://127.0.0.1:${operatorPort}/metrics`
      yield* eventually(
        Effect.promise(() =>
          fetch(metrics).then((response) => response.text(), () => "").then((text) =>
            text.includes(`http_route="/queues/*"`)
          )
        )
      )
    })),
  120_000
)
