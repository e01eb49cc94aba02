import { HttpApi, OpenApi } from "effect/http-api"
import { ApiKeysApi } from "./ApiKeysApi.ts"
import { AuthorizationApi } from "./AuthorizationApi.ts"
import { ClientsApi } from "./ClientsApi.ts"
import { ConnectionsApi } from "./ConnectionsApi.ts"
import { DeskApi } from "./DeskApi.ts"
import { EventsApi } from "./EventsApi.ts"
import { GatewayApi } from "./GatewayApi.ts"
import { IdentitiesApi } from "./IdentitiesApi.ts"
import { InitialTokensApi } from "./InitialTokensApi.ts"
import { MeApi } from "./MeApi.ts"
import { MetadataApi } from "./MetadataApi.ts"
import { MigrationApi } from "./MigrationApi.ts"
import { MigrationBoardApi } from "./MigrationBoardApi.ts"
import { OwnersApi } from "./OwnersApi.ts"
import { RefusedRequestsApi } from "./RefusedRequestsApi.ts"
import { ResourceApi } from "./ResourceApi.ts"
import { ResourcesApi } from "./ResourcesApi.ts"
import { ReviewApi } from "./ReviewApi.ts"
import { TestAppsApi } from "./TestAppsApi.ts"
import { TokenApi } from "./TokenApi.ts"
import { TrustedHostsApi } from "./TrustedHostsApi.ts"
import { UsersApi } from "./UsersApi.ts"

// Contract: every request and answer that the world may rely on, as schemas and nothing else, so that it loads in a
// browser, too. The rooms that serve the management API handle these endpoints, typed clients derive from them, and
// `doors/docs` shows them as an OpenAPI document. All other endpoints are plain routes. Tests hold every route and
// every documented status to the contract, so what it says is what the server does.

/** Management API, whose requests are decoded and whose answers are encoded by these schemas. */
export class HandledApi extends HttpApi.make("slotkey")
  .add(ApiKeysApi)
  .add(ClientsApi)
  .add(EventsApi)
  .add(MigrationApi)
  .add(ReviewApi)
  .add(DeskApi)
  .add(MigrationBoardApi)
  .add(RefusedRequestsApi)
  .add(TestAppsApi)
  .add(OwnersApi)
  .add(ResourcesApi)
  .add(TrustedHostsApi)
  .add(UsersApi)
  .add(IdentitiesApi)
  .add(InitialTokensApi)
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  // A misspelt filter would otherwise be answered as if it had not been sent. A misspelt field would look like an edit
  // that changes nothing, or make a key that has no end.
  .annotate(HttpApi.QueryParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotate(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" })
{}

/** Whole contract: the management API, and what plain routes serve. */
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
