import { Duration, Effect, Layer, type Scope } from "effect"
import {
  HttpEffect,
  HttpRouter,
  HttpServer,
  type HttpServerError,
  type HttpServerRequest,
  type HttpServerResponse
} from "effect/http"
import { Routes } from "./app/Routes.ts"
import { Services } from "./app/Services.ts"
import type { IdentitySource } from "./core/accounts/IdentitySource.ts"
import { LocalAccounts } from "./core/accounts/LocalAccounts.ts"
import { ReloadInterval } from "./core/keys/KeyRing.ts"
import { AppConfig } from "./foundation/config/AppConfig.ts"

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

/** The whole server at `https://slotkey.test`, without a port; needs the services of `layer`. */
export const server = serve(Routes.pipe(Layer.provide(HttpServer.layerServices)))

/**
 * The services of a test server with local accounts; `env` holds settings by the names of the README's table. The server
 * reads its keys once, because `TestClock` would step through every reload when it is set forward by a month.
 */
export const layer = (env: Readonly<Record<string, string>> = {}) => layerWith(LocalAccounts, env)

/** The same services on another identity source: `users` provides `IdentitySource` and may provide more. */
export const layerWith = <A, E, R>(
  users: Layer.Layer<IdentitySource | A, E, R>,
  env: Readonly<Record<string, string>> = {}
) =>
  Services.pipe(
    Layer.provide(Layer.succeed(ReloadInterval, Duration.infinity)),
    Layer.provideMerge(users),
    Layer.provideMerge(AppConfig.layerTest(env))
  )
