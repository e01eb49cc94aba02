import { Schema } from "effect"
import * as GrantType from "../GrantType.ts"

/** Replaces a refresh token (RFC 6749 §6). */
export const refreshToken = GrantType.make({
  name: "refresh_token",
  parameters: {
    refresh_token: Schema.String,
    scope: Schema.optionalKey(Schema.String),
    resource: Schema.optionalKey(Schema.String)
  },
  respond: (issuer, client, { refresh_token, resource, scope }) =>
    issuer.refresh(client, { refreshToken: refresh_token, resource, scope })
})
