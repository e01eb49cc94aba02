import { Layer } from "effect"
import { HttpRouter } from "effect/http"
import {
  AppConfig,
  databaseLayer,
  GrantStore,
  LocalAccounts,
  SecretCheck,
  Services,
  StandaloneRoutes,
  tracingLayer
} from "../../../src/index.ts"
import { OwnCodes } from "../../core/grants/examples/OwnCodes.ts"

/** Code store, with the services that it asks. */
const Codes = OwnCodes.pipe(Layer.provide(GrantStore.layer), Layer.provide(SecretCheck.layer))

/** A server with local accounts, a code store of its own, and traces. Needs an `HttpServer`. */
export const Server = HttpRouter.serve(StandaloneRoutes).pipe(
  Layer.provide(Services.pipe(Layer.provideMerge(Layer.merge(LocalAccounts, Codes)))),
  Layer.provide(databaseLayer),
  Layer.provide(tracingLayer("my-platform")),
  Layer.provide(AppConfig.layer)
)
