import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { Routes } from "../../src/app/Routes.ts"
import * as ObservedRouter from "../../src/foundation/operator/ObservedRouter.ts"

/** Every route that a layer registers, as `GET /v2/me`. */
export const routesOf = <A, E, R>(registering: Layer.Layer<A, E, R>) =>
  Effect.gen(function*() {
    const routes: Array<string> = []
    const recording = ObservedRouter.layer(({ method, path }) => void routes.push(`${method} ${path}`)).pipe(
      Layer.provide(Layer.effect(HttpRouter.HttpRouter, HttpRouter.make))
    )
    yield* Effect.asVoid(
      HttpRouter.toHttpEffect(registering.pipe(Layer.provide([recording, HttpServer.layerServices])))
    )
    return routes
  })

/** Every route that the server registers. */
export const registeredRoutes = routesOf(Routes)
