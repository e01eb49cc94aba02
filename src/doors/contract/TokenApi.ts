import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { IntrospectionResponse } from "../../core/tokens/IntrospectionResponse.ts"
import { TokenResponse } from "../../core/tokens/TokenResponse.ts"
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

const credentials = {
  client_id: Schema.optionalKey(Schema.String),
  client_secret: Schema.optionalKey(Schema.String)
}

/** RFC 6749 §4.1.3 and §6; the grant type decides which parameters it requires. */
const TokenRequest = Schema.Struct({
  grant_type: Schema.Literals(["authorization_code", "refresh_token"]),
  ...credentials,
  code: Schema.optionalKey(Schema.String),
  redirect_uri: Schema.optionalKey(Schema.String),
  code_verifier: Schema.optionalKey(Schema.String),
  refresh_token: Schema.optionalKey(Schema.String),
  scope: Schema.optionalKey(Schema.String)
})

/** RFC 7009 §2.1 and RFC 7662 §2.1. */
const AboutToken = Schema.Struct({
  token: Schema.String,
  token_type_hint: Schema.optionalKey(Schema.String),
  ...credentials
})

/** RFC 7009 §2.2 asks for the status alone; the body is an object without members. */
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

/** By the header, or without one by `client_id` and `client_secret` in the body. */
const clientAuthentication = { security: [{ client: [] }, {}] }

/** Tokens: issued, replaced, ended, asked about. */
export class TokenApi extends HttpApiGroup.make("tokens")
  .add(
    HttpApiEndpoint.post("token", "/v2/auth/oauth2/token", {
      payload: formOrJson(TokenRequest),
      success: TokenResponse,
      error: [...refusals, InvalidGrant, InvalidScope, UnauthorizedClient, UnsupportedGrantType]
    }).annotateMerge(OpenApi.annotations({
      summary: "Exchange a code, or refresh",
      description: "Confidential clients authenticate with client_secret_post or client_secret_basic; public clients " +
        "send their client_id and prove themselves with PKCE. Every refresh replaces the refresh token; a repeat " +
        "within the grace gets the same successor.",
      override: clientAuthentication
    })),
    HttpApiEndpoint.post("revoke", "/v2/auth/oauth2/revoke", {
      payload: formOrJson(AboutToken),
      success: Revoked,
      error: refusals
    }).annotateMerge(OpenApi.annotations({
      summary: "Revoke a token (RFC 7009)",
      description: "Ends the grant of the token, so all of its tokens. Unknown tokens are answered alike.",
      override: clientAuthentication
    })),
    HttpApiEndpoint.post("introspect", "/v2/auth/oauth2/introspect", {
      payload: formOrJson(AboutToken),
      success: IntrospectionResponse,
      error: [...refusals, InvalidBearer]
    }).annotateMerge(OpenApi.annotations({
      summary: "Ask about a token (RFC 7662)",
      description: "For confidential clients about their own tokens, and for resource servers about access tokens. A " +
        "resource server sends its credential as a bearer token, or as client_secret with its id as client_id.",
      override: { security: [{ client: [] }, { resourceServer: [] }, {}] }
    }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Tokens", description: "The OAuth 2.0 endpoints for apps." }))
{}
