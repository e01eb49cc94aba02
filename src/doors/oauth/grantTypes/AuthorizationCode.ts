import { Schema } from "effect"
import * as GrantType from "../GrantType.ts"

/** Exchanges a code for tokens (RFC 6749 §4.1.3), with PKCE (RFC 7636 §4.5), for a resource (RFC 8707 §2.2). */
export const authorizationCode = GrantType.make({
  name: "authorization_code",
  parameters: {
    code: Schema.String,
    redirect_uri: Schema.String,
    code_verifier: Schema.optionalKey(Schema.String),
    resource: Schema.optionalKey(Schema.String)
  },
  respond: (issuer, client, { code, code_verifier, redirect_uri, resource }) =>
    issuer.exchange(client, { code, redirectUri: redirect_uri, codeVerifier: code_verifier, resource })
})
