import { Schema } from "effect"

/** Answer to an introspection (RFC 7662 §2.2); for a token that cannot be used, `active` is all that it says. */
export const IntrospectionResponse = Schema.Struct({
  active: Schema.Boolean,
  scope: Schema.optionalKey(Schema.String),
  /** Present for the tokens of legacy grants, which no scope restricts. */
  unrestricted: Schema.optionalKey(Schema.Literal(true)),
  client_id: Schema.optionalKey(Schema.String),
  /** For resource servers, and for clients whose token may read the profile. */
  username: Schema.optionalKey(Schema.String),
  token_type: Schema.optionalKey(Schema.Literal("bearer")),
  exp: Schema.optionalKey(Schema.Int),
  iat: Schema.optionalKey(Schema.Int),
  sub: Schema.optionalKey(Schema.String),
  aud: Schema.optionalKey(Schema.String),
  iss: Schema.optionalKey(Schema.String),
  jti: Schema.optionalKey(Schema.String),
  /** Grant, which all tokens of one consent share. */
  grant_id: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "IntrospectionResponse" })
export type IntrospectionResponse = typeof IntrospectionResponse.Type
