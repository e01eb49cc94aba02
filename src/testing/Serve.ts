import { Effect, type Layer, type Scope } from "effect"
import {
  HttpEffect,
  HttpRouter,
  type HttpServerError,
  type HttpServerRequest,
  type HttpServerResponse
} from "effect/http"

/** Returns the response to a request as it would go over the wire; redirects are not followed. */
export type Send = (request: Request) => Effect.Effect<Response>

/**
 * Serves routes without a port, as a function from request to response. They run in the context of the caller, with its
 * clock.
 */
export const serve = Effect.fnUntraced(function*<A, E, R>(
  routes: Layer.Layer<A, E, R>
): Effect.fn.Return<
  Send,
  HttpRouter.Request.Without<E>,
  Exclude<HttpRouter.Request.Without<R>, HttpRouter.HttpRouter> | Scope.Scope
> {
  const app = yield* HttpRouter.toHttpEffect(routes)
  const context = yield* Effect.context<never>()
  const handler = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(context)(
    app as Effect.Effect<
      HttpServerResponse.HttpServerResponse,
      HttpServerError.HttpServerError,
      HttpServerRequest.HttpServerRequest | Scope.Scope
    >
  )
  return (request) => Effect.promise(() => handler(request))
})
