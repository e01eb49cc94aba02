import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Authenticated, RequireAdmin } from "../accounts/CurrentUser.ts"
import { ApiKeysHandlers } from "../accounts/Http.ts"
import { AccountsPages } from "../accounts/Pages.ts"
import { HandledApi } from "../Api.ts"
import { ClientsHandlers } from "../clients/Http.ts"
import { ClientsPages } from "../clients/Pages.ts"
import { ReviewHandlers } from "../clients/ReviewHttp.ts"
import { AskingApp } from "../consent/AskingApp.ts"
import { AuthorizationRoutes } from "../consent/AuthorizationRoutes.ts"
import { ConnectionsRoutes } from "../consent/ConnectionsRoutes.ts"
import { MigrationHandlers } from "../legacy/Http.ts"
import { LegacyPages } from "../legacy/Pages.ts"
import { PlaygroundPages } from "../playground/PlaygroundPages.ts"
import { GatewayRoutes } from "../resource/Gateway.ts"
import { ResourceHandlers, ResourceRoutes } from "../resource/Http.ts"
import { TokenRoutes } from "../tokens/Http.ts"
import { MeRoute } from "../tokens/MeHttp.ts"
import { MetadataHandlers, MetadataRoutes } from "../tokens/MetadataHttp.ts"
import { AssetRoutes } from "./Assets.ts"
import { DocsRoutes } from "./Docs.ts"
import { HomeRoute } from "./Home.ts"
import { JsonInput } from "./JsonInput.ts"
import { Shell } from "./Shell.ts"

const ApiRoutes = HttpApiBuilder.layer(HandledApi).pipe(
  Layer.provide([
    ApiKeysHandlers,
    ClientsHandlers,
    MetadataHandlers,
    MigrationHandlers,
    ResourceHandlers,
    ReviewHandlers
  ]),
  Layer.provide([Authenticated.layer, RequireAdmin.layer, JsonInput.layer])
)

const PageRoutes = Layer.mergeAll(
  AccountsPages,
  AssetRoutes,
  AuthorizationRoutes,
  ClientsPages,
  ConnectionsRoutes,
  DocsRoutes,
  HomeRoute,
  LegacyPages,
  PlaygroundPages
).pipe(Layer.provide(AskingApp))

const OpenRoutes = Layer.mergeAll(MeRoute, MetadataRoutes, TokenRoutes)

/** Everything that the server answers. */
export const Routes = Layer.mergeAll(Shell, ApiRoutes, GatewayRoutes, OpenRoutes, PageRoutes, ResourceRoutes)
