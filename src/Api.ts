import { HttpApi, OpenApi } from "effect/http-api"
import { ApiKeysApi } from "./accounts/Api.ts"
import { ClientsApi } from "./clients/Api.ts"
import { ReviewApi } from "./clients/ReviewApi.ts"
import { MigrationApi } from "./legacy/Api.ts"
import { ResourceApi } from "./resource/Api.ts"
import { TokenApi } from "./tokens/Api.ts"
import { MeApi } from "./tokens/MeApi.ts"
import { MetadataApi } from "./tokens/MetadataApi.ts"

/** The whole contract of the HTTP API, one group a line; what serves it and the OpenAPI document both derive from it. */
export class Api extends HttpApi.make("slotkey")
  .add(ApiKeysApi)
  .add(ClientsApi)
  .add(MigrationApi)
  .add(ReviewApi)
  .add(ResourceApi)
  .add(TokenApi)
  .add(MeApi)
  .add(MetadataApi)
  .annotateMerge(OpenApi.annotations({
    title: "Slotkey",
    description: "OAuth 2.0 authorization for a scheduling platform's API."
  }))
  .annotate(HttpApi.ParseOptions, { errors: "all" })
{}
