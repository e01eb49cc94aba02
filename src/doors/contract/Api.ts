import { HttpApi, OpenApi } from "effect/http-api"
import packageJson from "../../../package.json" with { type: "json" }
import { ApiKeysApi } from "./ApiKeysApi.ts"
import { ClientsApi } from "./ClientsApi.ts"
import { MeApi } from "./MeApi.ts"
import { MetadataApi } from "./MetadataApi.ts"
import { MigrationApi } from "./MigrationApi.ts"
import { ResourceApi } from "./ResourceApi.ts"
import { ReviewApi } from "./ReviewApi.ts"
import { TokenApi } from "./TokenApi.ts"

/** The groups whose requests and answers are read and written by their schemas, one a line. */
export class HandledApi extends HttpApi.make("slotkey")
  .add(ApiKeysApi)
  .add(ClientsApi)
  .add(MigrationApi)
  .add(ReviewApi)
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
  // Served by plain routes: see `app/Routes.ts`.
  .add(MeApi)
  .add(MetadataApi)
  .add(ResourceApi)
  .add(TokenApi)
  .annotateMerge(OpenApi.annotations({
    title: "Slotkey",
    version: packageJson.version,
    description: "OAuth 2.0 authorization for a scheduling platform's API.",
    transform: withRegisteredSchemes
  }))
{}
