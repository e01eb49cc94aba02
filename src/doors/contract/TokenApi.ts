import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { IntrospectionResponse } from "../../core/tokens/IntrospectionResponse.ts"
import { TokenResponse } from "../../core/tokens/TokenResponse.ts"
import { UsageReport } from "../../core/usage/UsageReport.ts"
import {
  InvalidBearer,
  InvalidClient,
  InvalidGrant,
  InvalidRequest,
  InvalidScope,
  TemporarilyUnavailable,
  UnauthorizedClient,
  UnsupportedGrantType
} from "../../domain/OAuthError.ts"
import { resourceServerBearer } from "../oauth/clientAuthentication/ResourceServerBearer.ts"
import type { ClientAuthenticationMethod } from "../oauth/ClientAuthenticationMethod.ts"
import { optionalFields, type ParameterFields } from "../oauth/ParameterFields.ts"
import { namesOf, supported } from "../oauth/Supported.ts"
import { usagePath } from "../oauth/UsageWire.ts"
import { securityOf } from "./ClientSecurity.ts"

/**
 * Parts of a grant type that the contract describes. The rest would bring the services of the server into a client's
 * types.
 */
interface GrantTypeContract {
  readonly name: string
  readonly parameters: ParameterFields
}

/** An object without members: only the status means something (RFC 7009 §2.2). */
const Revoked = Schema.Record(Schema.String, Schema.Never)

const formOrJson = <S extends Schema.Top>(schema: S) => [schema.pipe(HttpApiSchema.asFormUrlEncoded()), schema] as const

const refusals = [
  InvalidRequest,
  InvalidRequest.pipe(HttpApiSchema.status(413)),
  InvalidRequest.pipe(HttpApiSchema.status(415)),
  InvalidClient,
  TemporarilyUnavailable,
  TemporarilyUnavailable.pipe(HttpApiSchema.status(429))
] as const

/** Endpoints at which tokens are issued, replaced, revoked and introspected, where these kinds are supported. */
export const tokenApi = <const G extends GrantTypeContract, const M extends ClientAuthenticationMethod>(
  { clientAuthenticationMethods, grantTypes, introspectionAuthenticationMethods }: {
    readonly grantTypes: ReadonlyArray<G>
    readonly clientAuthenticationMethods: ReadonlyArray<M>
    readonly introspectionAuthenticationMethods: ReadonlyArray<ClientAuthenticationMethod<unknown>>
  }
) => {
  const credentials = {
    client_id: Schema.optionalKey(Schema.String),
    ...optionalFields(clientAuthenticationMethods)
  }

  // The grant type decides which of its parameters are required (RFC 6749 §3.2).
  const TokenRequest = Schema.Struct({
    grant_type: Schema.Literals(namesOf(grantTypes)),
    ...credentials,
    ...optionalFields(grantTypes)
  }).annotate({ identifier: "TokenRequest" })

  // RFC 7009 §2.1 and RFC 7662 §2.1.
  const AboutToken = Schema.Struct({
    token: Schema.String,
    token_type_hint: Schema.optionalKey(Schema.String),
    ...credentials
  }).annotate({ identifier: "AboutToken" })

  return HttpApiGroup.make("tokens")
    .add(
      HttpApiEndpoint.post("token", "/v2/auth/oauth2/token", {
        payload: formOrJson(TokenRequest),
        success: TokenResponse,
        error: [...refusals, InvalidGrant, InvalidScope, UnauthorizedClient, UnsupportedGrantType]
      }).annotateMerge(OpenApi.annotations({
        summary: "Exchange a code, or refresh",
        description:
          "Confidential clients authenticate with client_secret_post or client_secret_basic; public clients " +
          "send their client_id and prove themselves with PKCE. Every refresh replaces the refresh token; a repeat " +
          "within the grace gets the same successor.",
        override: { security: securityOf(clientAuthenticationMethods) }
      })),
      HttpApiEndpoint.post("revoke", "/v2/auth/oauth2/revoke", {
        payload: formOrJson(AboutToken),
        success: Revoked,
        error: refusals
      }).annotateMerge(OpenApi.annotations({
        summary: "Revoke a token (RFC 7009)",
        description: "Ends the grant of the token, so all of its tokens. Unknown tokens are answered alike.",
        override: { security: securityOf(clientAuthenticationMethods) }
      })),
      HttpApiEndpoint.post("introspect", "/v2/auth/oauth2/introspect", {
        payload: formOrJson(AboutToken),
        success: IntrospectionResponse,
        error: [...refusals, InvalidBearer]
      }).annotateMerge(OpenApi.annotations({
        summary: "Ask about a token (RFC 7662)",
        description:
          "For confidential clients about their own tokens, and for resource servers about access tokens. A " +
          "resource server sends its credential as a bearer token, or as client_secret with its id as client_id.",
        override: { security: securityOf(introspectionAuthenticationMethods) }
      })),
      HttpApiEndpoint.post("reportUsage", usagePath, {
        payload: UsageReport,
        success: HttpApiSchema.Empty(204).annotate({ description: "It is counted, once however often it is sent" }),
        error: [
          InvalidRequest,
          InvalidRequest.pipe(HttpApiSchema.status(413)),
          InvalidRequest.pipe(HttpApiSchema.status(415)),
          InvalidBearer,
          TemporarilyUnavailable,
          TemporarilyUnavailable.pipe(HttpApiSchema.status(429))
        ]
      }).annotateMerge(OpenApi.annotations({
        summary: "Report what calls used",
        description:
          "For resource servers: counts of the calls that they have checked, by grant, need, operation and outcome. " +
          "Times are ages, so that clocks need not agree. Grants that are unknown or have ended are left out.",
        override: { security: [{ [resourceServerBearer.securityScheme.name]: [] }] }
      }))
    )
    .annotateMerge(OpenApi.annotations({ title: "Tokens", description: "The OAuth 2.0 endpoints for apps." }))
}

export class TokenApi extends tokenApi(supported) {}
