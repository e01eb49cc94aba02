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

/** Sends a request as it goes over the wire and answers the response; redirects are not followed. */
export type Send = (request: Request) => Effect.Effect<Response>

/**
 * Routes behind a function from request to response, without a port. They run in the context of the caller, so its
 * clock is theirs.
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

/** The whole server at `https://slotkey.test` over a database: all its services and its routes, no port. */
export const server = serve(Routes.pipe(Layer.provide(HttpServer.layerServices)))

/**
 * The services of a test server with its settings; `env` has the names of the README's table. Its users are local
 * accounts. It reads its keys once: nobody else changes them, and `TestClock` would step through each minute of a month.
 */
export const layer = (env: Readonly<Record<string, string>> = {}) => layerWith(LocalAccounts, env)

/** The same with users of another source: a layer of `IdentitySource` at least. */
export const layerWith = <A, E, R>(
  users: Layer.Layer<IdentitySource | A, E, R>,
  env: Readonly<Record<string, string>> = {}
) =>
  Services.pipe(
    Layer.provide(Layer.succeed(ReloadInterval, Duration.infinity)),
    Layer.provideMerge(users),
    Layer.provideMerge(AppConfig.layerTest(env))
  )
