import { HttpApi, OpenApi } from "effect/http-api"
import packageJson from "../package.json" with { type: "json" }
import { ApiKeysApi } from "./accounts/Api.ts"
import { ClientsApi } from "./clients/Api.ts"
import { ReviewApi } from "./clients/ReviewApi.ts"
import { MigrationApi } from "./legacy/Api.ts"
import { ResourceApi } from "./resource/Api.ts"
import { TokenApi } from "./tokens/Api.ts"
import { MeApi } from "./tokens/MeApi.ts"
import { MetadataApi } from "./tokens/MetadataApi.ts"

/** The groups whose requests and answers are read and written by their schemas, one a line. */
export class HandledApi extends HttpApi.make("slotkey")
  .add(ApiKeysApi)
  .add(ClientsApi)
  .add(MigrationApi)
  .add(ReviewApi)
  .add(ResourceApi)
  .add(MetadataApi)
  .annotate(HttpApi.ParseOptions, { errors: "all" })
{}

// Readers of the document know the schemes as they are registered, in lower case (OpenAPI 3.1 §4.8.27).
const withRegisteredSchemes = (spec: Record<string, unknown>): Record<string, unknown> => {
  const { components: { securitySchemes, ...components } } = spec as unknown as OpenApi.OpenAPISpec
  const registered = Object.entries(securitySchemes).map(([name, security]) => [
    name,
    "scheme" in security ? { ...security, scheme: security.scheme.toLowerCase() } : security
  ])
  return { ...spec, components: { ...components, securitySchemes: Object.fromEntries(registered) } }
}

/** The whole contract of the HTTP API: what the OpenAPI document shows and typed clients derive from. */
export class Api extends HandledApi
  // Served by routes of their own (`tokens/MeHttp.ts`, `tokens/Http.ts`).
  .add(MeApi)
  .add(TokenApi)
  .annotateMerge(OpenApi.annotations({
    title: "Slotkey",
    version: packageJson.version,
    description: "OAuth 2.0 authorization for a scheduling platform's API.",
    transform: withRegisteredSchemes
  }))
{}
