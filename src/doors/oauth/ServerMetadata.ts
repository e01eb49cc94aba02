import { Schema } from "effect"
import { catalogue } from "../../domain/scopes/Scope.ts"
import { wellKnownPath } from "../../domain/WellKnown.ts"

/** What clients may know of this server (RFC 8414 §2); only what works. */
export const ServerMetadata = Schema.Struct({
  issuer: Schema.String,
  authorization_endpoint: Schema.String,
  token_endpoint: Schema.String,
  revocation_endpoint: Schema.String,
  introspection_endpoint: Schema.String,
  jwks_uri: Schema.String,
  scopes_supported: Schema.Array(Schema.String),
  response_types_supported: Schema.Array(Schema.Literal("code")),
  response_modes_supported: Schema.Array(Schema.Literal("query")),
  grant_types_supported: Schema.Array(Schema.Literals(["authorization_code", "refresh_token"])),
  token_endpoint_auth_methods_supported: Schema.Array(Schema.String),
  revocation_endpoint_auth_methods_supported: Schema.Array(Schema.String),
  introspection_endpoint_auth_methods_supported: Schema.Array(Schema.String),
  code_challenge_methods_supported: Schema.Array(Schema.Literal("S256")),
  authorization_response_iss_parameter_supported: Schema.Literal(true)
}).annotate({ identifier: "ServerMetadata" })
export type ServerMetadata = typeof ServerMetadata.Type

export const serverMetadata = (
  { authUrl, baseUrl, issuer }: { readonly authUrl: string; readonly baseUrl: string; readonly issuer: string }
): ServerMetadata => ({
  issuer,
  authorization_endpoint: `${authUrl}/auth/oauth2/authorize`,
  token_endpoint: `${baseUrl}/v2/auth/oauth2/token`,
  revocation_endpoint: `${baseUrl}/v2/auth/oauth2/revoke`,
  introspection_endpoint: `${baseUrl}/v2/auth/oauth2/introspect`,
  jwks_uri: `${baseUrl}${jwksPath}`,
  scopes_supported: catalogue,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
  revocation_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
  introspection_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "Bearer"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true
})

const suffix = "oauth-authorization-server"

export const metadataPath = `/.well-known/${suffix}` as const
export const jwksPath = "/.well-known/jwks.json"

/** Where clients look for the metadata of an issuer with a path (RFC 8414 §3.1). */
export const metadataPathOf = (issuer: string): `/${string}` => wellKnownPath(suffix, issuer)
