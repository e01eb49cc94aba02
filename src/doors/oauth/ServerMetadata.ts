import { Schema } from "effect"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { appendedPath, wellKnownPath } from "../../domain/WellKnown.ts"
import { namesOf, type Supported, supported } from "./Supported.ts"

/** Authorization server metadata (RFC 8414 §2); it lists only what works. */
export const ServerMetadata = Schema.Struct({
  issuer: Schema.String,
  authorization_endpoint: Schema.String,
  token_endpoint: Schema.String,
  revocation_endpoint: Schema.String,
  introspection_endpoint: Schema.String,
  userinfo_endpoint: Schema.String,
  jwks_uri: Schema.String,
  /** There where apps may register by themselves (RFC 7591 §3.1). */
  registration_endpoint: Schema.optionalKey(Schema.String),
  scopes_supported: Schema.Array(Schema.String),
  /** All resources for which there are tokens, if there are others than the API (RFC 9728 §4). */
  protected_resources: Schema.optionalKey(Schema.Array(Schema.String)),
  response_types_supported: Schema.Array(Schema.Literal("code")),
  response_modes_supported: Schema.Array(Schema.Literal("query")),
  grant_types_supported: Schema.Array(Schema.Literals(namesOf(supported.grantTypes))),
  token_endpoint_auth_methods_supported: Schema.Array(Schema.String),
  revocation_endpoint_auth_methods_supported: Schema.Array(Schema.String),
  introspection_endpoint_auth_methods_supported: Schema.Array(Schema.String),
  code_challenge_methods_supported: Schema.Array(Schema.Literal("S256")),
  authorization_response_iss_parameter_supported: Schema.Literal(true),
  /** Whether a `client_id` may be the address of a document (draft-ietf-oauth-client-id-metadata-document §6). */
  client_id_metadata_document_supported: Schema.Boolean,
  /** Ends that the answers of the token endpoint tell (draft-ietf-oauth-refresh-token-expiration-02). */
  refresh_token_expiration_types_supported: Schema.Array(Schema.Literals(["authorization", "token_timeout"])),
  ui_locales_supported: Schema.Array(Schema.String)
}).annotate({ identifier: "ServerMetadata" })

/** Addresses of the pages and of the API, the server's name, and what settings turn on. */
export interface Addresses {
  readonly dynamicRegistration?: "off" | "token" | "open"
  readonly authUrl: string
  readonly baseUrl: string
  readonly issuer: string
  readonly clientDocuments: "on" | "off"
}

export const serverMetadata = (
  /** `METADATA_SCOPES` */
  scopes: ReadonlyArray<ScopeName>,
  { authUrl, baseUrl, clientDocuments, dynamicRegistration = "off", issuer }: Addresses,
  { clientAuthenticationMethods, grantTypes, introspectionAuthenticationMethods }: Supported,
  languages: ReadonlyArray<{ readonly tag: string }>,
  resources: ReadonlyArray<{ readonly identifier: string }> = []
) => ({
  issuer,
  authorization_endpoint: `${authUrl}/auth/oauth2/authorize`,
  token_endpoint: `${baseUrl}/v2/auth/oauth2/token`,
  revocation_endpoint: `${baseUrl}/v2/auth/oauth2/revoke`,
  introspection_endpoint: `${baseUrl}/v2/auth/oauth2/introspect`,
  userinfo_endpoint: `${baseUrl}${userinfoPath}`,
  jwks_uri: `${baseUrl}${jwksPath}`,
  ...(dynamicRegistration === "off" ? {} : { registration_endpoint: `${baseUrl}${registrationPath}` }),
  // A server need not list all (RFC 8414 §2). Apps that ask for whatever is listed must not ask for what ends.
  scopes_supported: scopes,
  ...(resources.length === 0
    ? {}
    : { protected_resources: [baseUrl, ...resources.map(({ identifier }) => identifier).sort()] }),
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: namesOf(grantTypes),
  token_endpoint_auth_methods_supported: namesOf(clientAuthenticationMethods),
  revocation_endpoint_auth_methods_supported: namesOf(clientAuthenticationMethods),
  introspection_endpoint_auth_methods_supported: namesOf(introspectionAuthenticationMethods),
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: clientDocuments === "on",
  refresh_token_expiration_types_supported: ["authorization", "token_timeout"],
  ui_locales_supported: languages.map(({ tag }) => tag)
})

const suffix = "oauth-authorization-server"
const openidSuffix = "openid-configuration"

export const metadataPath = `/.well-known/${suffix}` as const
/** Address of the metadata by the rule of RFC 8414 §3.1, which clients follow that know the issuer. */
export const metadataUrl = (issuer: string): string => new URL(wellKnownPath(suffix, issuer), issuer).href

/** Path at which apps register by themselves. */
export const registrationPath = "/v2/auth/oauth2/register"

export const jwksPath = "/.well-known/jwks.json"
export const userinfoPath = "/v2/auth/oauth2/userinfo"

/** Path at which clients of OpenID Connect look first; the document claims nothing of it (RFC 8414 §5). */
export const openidPath = `/.well-known/${openidSuffix}` as const

/**
 * All paths of the metadata of an issuer. One with a path has it inserted between its host and that path (RFC 8414
 * §3.1), and appended for clients of OpenID Connect (RFC 8414 §5). A proxy that strips the path asks at the root.
 */
export const metadataPathsOf = (issuer: string): ReadonlySet<`/${string}`> =>
  new Set<`/${string}`>([
    metadataPath,
    openidPath,
    wellKnownPath(suffix, issuer),
    wellKnownPath(openidSuffix, issuer),
    appendedPath(openidSuffix, issuer)
  ])
