import { Schema } from "effect"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
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

/** Resource as its metadata describes it. */
interface Described {
  readonly identifier: string
  readonly name: string
  readonly baseScopes: ReadonlyArray<ScopeName>
}

/**
 * Metadata of a resource. Of its scopes it lists the base set alone: clients ask for whatever is listed here where
 * nothing else tells them what to ask for.
 */
export const resourceMetadata = ({ baseScopes, identifier, name }: Described, issuer: string): ResourceMetadata => ({
  resource: identifier,
  authorization_servers: [issuer],
  scopes_supported: baseScopes,
  bearer_methods_supported: ["header"],
  resource_name: name
})

const suffix = "oauth-protected-resource"

export const wellKnown = `/.well-known/${suffix}` as const

/** Path of the metadata of `resource` (RFC 9728 §3.1). */
export const metadataPath = (resource: string): `/${string}` => wellKnownPath(suffix, resource)

export const metadataUrl = (resource: string): string => new URL(metadataPath(resource), resource).href
