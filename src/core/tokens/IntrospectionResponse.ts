import { Schema } from "effect"

/** What a token is good for (RFC 7662 §2.2); of a token that is good for nothing, no more than that. */
export const IntrospectionResponse = Schema.Struct({
  active: Schema.Boolean,
  scope: Schema.optionalKey(Schema.String),
  /** No scope restricts a token of a legacy grant. */
  unrestricted: Schema.optionalKey(Schema.Literal(true)),
  client_id: Schema.optionalKey(Schema.String),
  token_type: Schema.optionalKey(Schema.Literal("bearer")),
  exp: Schema.optionalKey(Schema.Int),
  iat: Schema.optionalKey(Schema.Int),
  sub: Schema.optionalKey(Schema.String),
  aud: Schema.optionalKey(Schema.String),
  iss: Schema.optionalKey(Schema.String),
  jti: Schema.optionalKey(Schema.String),
  /** What all tokens of one consent share. */
  grant_id: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "IntrospectionResponse" })
export type IntrospectionResponse = typeof IntrospectionResponse.Type
