import { Schema } from "effect"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { wellKnownPath } from "../../domain/WellKnown.ts"

/** Metadata of the API as a protected resource (RFC 9728 §2). */
export const ResourceMetadata = Schema.Struct({
  resource: Schema.String,
  authorization_servers: Schema.Array(Schema.String),
  scopes_supported: Schema.Array(Schema.String),
  bearer_methods_supported: Schema.Array(Schema.Literal("header")),
  resource_name: Schema.String
}).annotate({ identifier: "ResourceMetadata" })
export type ResourceMetadata = typeof ResourceMetadata.Type

/** Metadata of the API at `resource`. */
export const resourceMetadata = ({ api, lasting }: Catalogue, resource: string, issuer: string): ResourceMetadata => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: lasting,
  bearer_methods_supported: ["header"],
  resource_name: api.name
})

const suffix = "oauth-protected-resource"

export const wellKnown = `/.well-known/${suffix}` as const

/** Path of the metadata of `resource` (RFC 9728 §3.1). */
export const metadataPath = (resource: string): `/${string}` => wellKnownPath(suffix, resource)

export const metadataUrl = (resource: string): string => new URL(metadataPath(resource), resource).href
