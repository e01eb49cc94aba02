import { Context, Effect, Layer } from "effect"
import { FindMyWay, HttpRouter } from "effect/http"
import { observed } from "../operator/ObservedRouter.ts"

/** Methods by which a server can be asked at each of its addresses, as its routes have them. */
export class RouteMethods extends Context.Service<RouteMethods, {
  /** Route at a request's target, whatever its method; `undefined` where there is none. */
  at(target: string): MatchedRoute | undefined
}>()("slotkey/foundation/http/RouteMethods") {
  /** Notes every route that is added to the router above it. */
  static readonly layer = Layer.effectContext(Effect.map(HttpRouter.HttpRouter, (router) => {
    const routes = FindMyWay.make<string>()
    const noted = observed(router, ({ method, path }) => {
      // A route for every method refuses none.
      if (method !== "*") routes.on(method, path, path)
    })

    const at = (target: string): MatchedRoute | undefined => {
      const found = methods.flatMap((method) => {
        const path = routes.find(method, target)?.handler
        return path === undefined ? [] : [{ method, path }]
      })
      const [first] = found
      if (first === undefined) return undefined
      const names = found.flatMap(({ method }) => method === "GET" ? ["GET", "HEAD"] : [method])
      return { path: first.path, methods: names, hasPreflight: names.includes("OPTIONS") }
    }

    return Context.make(HttpRouter.HttpRouter, noted).pipe(Context.add(RouteMethods, RouteMethods.of({ at })))
  }))
}

export interface MatchedRoute {
  readonly path: string
  readonly methods: ReadonlyArray<string>
  /** True if browsers may send it requests of other origins. */
  readonly hasPreflight: boolean
}

/** Methods of routes, in the order in which an answer names them. */
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
