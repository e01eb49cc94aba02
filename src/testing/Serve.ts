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

/** Answer to the request that it finds as a service. */
export type Answer = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  HttpServerError.HttpServerError,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

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
  return yield* sending(yield* answers(routes))
})

/** Builds routes. What they answer runs in the context of the caller of `sending`. */
export const answers = <A, E, R>(routes: Layer.Layer<A, E, R>) =>
  Effect.map(HttpRouter.toHttpEffect(routes), (app) => app as Answer)

/** Answers requests with the services of the caller's context. */
export const sending = Effect.fnUntraced(function*(answer: Answer) {
  const context = yield* Effect.context<never>()
  const handler = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(context)(answer)
  const send: Send = (request) => Effect.promise(() => handler(request))
  return send
})
