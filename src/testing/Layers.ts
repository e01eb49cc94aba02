import { Duration, Layer } from "effect"
import { HttpServer } from "effect/http"
import { Routes } from "../app/Routes.ts"
import { LocalServices, Services } from "../app/Services.ts"
import type { IdentitySource } from "../core/accounts/people/IdentitySource.ts"
import { ReloadInterval } from "../core/keys/KeyRing.ts"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import { serve } from "./Serve.ts"

// Layers that `slotkey/testing` offers, which loads this file when one of them is used.

export const server = serve(Routes.pipe(Layer.provide(HttpServer.layerServices)))

export const layer = (env: Readonly<Record<string, string>>, catalogue?: object) =>
  tested(LocalServices, env, catalogue)

export const layerWith = <A, E, R>(
  users: Layer.Layer<IdentitySource | A, E, R>,
  env: Readonly<Record<string, string>>,
  catalogue?: object
) => tested(Layer.provideMerge(Services, users), env, catalogue)

const tested = <A, E, R>(
  services: Layer.Layer<A, E, R>,
  env: Readonly<Record<string, string>>,
  catalogue: object | undefined
) =>
  services.pipe(
    Layer.provide(Layer.succeed(ReloadInterval, Duration.infinity)),
    Layer.provideMerge(AppConfig.layerTest(env, catalogue))
  )
