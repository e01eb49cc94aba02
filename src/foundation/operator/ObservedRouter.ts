import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"

type Route = Pick<HttpRouter.Route<unknown, unknown>, "method" | "path">

/** Router above it, which tells of each route that is added to it. */
export const observed = (router: HttpRouter.HttpRouter, note: (route: Route) => void): HttpRouter.HttpRouter =>
  HttpRouter.HttpRouter.of({
    ...router,
    add: (method, path, ...rest) => {
      note({ method, path })
      return router.add(method, path, ...rest)
    },
    addAll: (routes) => {
      routes.forEach(note)
      return router.addAll(routes)
    }
  })

/** Same as a layer. */
export const layer = (note: (route: Route) => void): Layer.Layer<HttpRouter.HttpRouter, never, HttpRouter.HttpRouter> =>
  Layer.effect(HttpRouter.HttpRouter, Effect.map(HttpRouter.HttpRouter, (router) => observed(router, note)))
