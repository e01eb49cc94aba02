// For programs that test against the server (docs/testing.md): the whole of it in memory with its fixtures, and the layers of
// which a test composes one of its own.
import { Duration, Layer } from "effect"
import { HttpServer } from "effect/http"
import { Routes } from "./app/Routes.ts"
import { LocalServices, Services } from "./app/Services.ts"
import type { IdentitySource } from "./core/accounts/IdentitySource.ts"
import { ReloadInterval } from "./core/keys/KeyRing.ts"
import { AppConfig } from "./foundation/config/AppConfig.ts"
import { serve } from "./testing/Serve.ts"

export type {
  AppOptions,
  Asking,
  Authorized,
  Decision,
  TestApp,
  TestSession,
  TestTokens,
  TestUser,
  UserOptions
} from "./testing/Fixtures.ts"
export { type Send, serve } from "./testing/Serve.ts"
export { ShiftedClock } from "./testing/ShiftedClock.ts"
export { start, type StartedTestServer } from "./testing/Start.ts"
export { TestServer } from "./testing/TestServer.ts"

/** The whole server at `https://slotkey.test`, without a port; needs the services of `layer`. */
export const server = serve(Routes.pipe(Layer.provide(HttpServer.layerServices)))

/**
 * The services of a test server with local accounts; `env` holds settings by the names of the README's table. The server
 * reads its keys once, because `TestClock` would step through every reload when it is set forward by a month.
 */
export const layer = (env: Readonly<Record<string, string>> = {}) => tested(LocalServices, env)

/** The same services on another identity source: `users` provides `IdentitySource` and may provide more. */
export const layerWith = <A, E, R>(
  users: Layer.Layer<IdentitySource | A, E, R>,
  env: Readonly<Record<string, string>> = {}
) => tested(Layer.provideMerge(Services, users), env)

const tested = <A, E, R>(services: Layer.Layer<A, E, R>, env: Readonly<Record<string, string>>) =>
  services.pipe(
    Layer.provide(Layer.succeed(ReloadInterval, Duration.infinity)),
    Layer.provideMerge(AppConfig.layerTest(env))
  )
