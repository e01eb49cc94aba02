import { HttpApi, OpenApi } from "effect/http-api"
import { ApiKeysApi } from "./ApiKeysApi.ts"
import { AuthorizationApi } from "./AuthorizationApi.ts"
import { ClientsApi } from "./ClientsApi.ts"
import { ConnectionsApi } from "./ConnectionsApi.ts"
import { GatewayApi } from "./GatewayApi.ts"
import { MeApi } from "./MeApi.ts"
import { MetadataApi } from "./MetadataApi.ts"
import { MigrationApi } from "./MigrationApi.ts"
import { ResourceApi } from "./ResourceApi.ts"
import { ReviewApi } from "./ReviewApi.ts"
import { TokenApi } from "./TokenApi.ts"

// This room is the contract: what crosses the wire, as schemas and nothing else, so that it runs in a browser as well. The
// handlers of the management API are typed by it, typed clients are made from it, and the OpenAPI document shows it. Routes
// that are not made from it are held to it by a test, as is every answer.

/** The management API: its requests and answers are read and written by these schemas. */
export class HandledApi extends HttpApi.make("slotkey")
  .add(ApiKeysApi)
  .add(ClientsApi)
  .add(MigrationApi)
  .add(ReviewApi)
  .annotate(HttpApi.ParseOptions, { errors: "all" })
{}

/** The whole contract: beside the management API all that plain routes serve, which `app/Routes.ts` lists. */
export class Api extends HandledApi
  .add(AuthorizationApi)
  .add(TokenApi)
  .add(MeApi)
  .add(GatewayApi)
  .add(MetadataApi)
  .add(ResourceApi)
  .add(ConnectionsApi)
  .annotateMerge(OpenApi.annotations({
    title: "Slotkey",
    description: "OAuth 2.0 authorization for a scheduling platform's API."
  }))
{}
