import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { Routes } from "../../src/app/Routes.ts"

/** Every route that the server registers, as `GET /v2/me`. */
export const registeredRoutes = Effect.gen(function*() {
  const routes: Array<string> = []
  const recording = Layer.effect(
    HttpRouter.HttpRouter,
    Effect.map(HttpRouter.make, (router) =>
      HttpRouter.HttpRouter.of({
        ...router,
        add: (method, path, ...rest) => {
          routes.push(`${method} ${path}`)
          return router.add(method, path, ...rest)
        },
        addAll: (added) => {
          routes.push(...added.map(({ method, path }) => `${method} ${path}`))
          return router.addAll(added)
        }
      }))
  )
  yield* Effect.asVoid(HttpRouter.toHttpEffect(Routes.pipe(Layer.provide([recording, HttpServer.layerServices]))))
  return routes
})
