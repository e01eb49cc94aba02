import { Schema } from "effect"

// `_tag` serves `catchTag` and never reaches the wire; `error` is the code of the specification.
const fields = <const Tag extends string, const Code extends string>(tag: Tag, code: Code) => ({
  _tag: Schema.tagDefaultOmit(tag),
  error: Schema.tag(code),
  error_description: Schema.String
})

/** The request lacks a parameter, repeats one, or is otherwise malformed (RFC 6749 §4.1.2.1, §5.2). */
export class InvalidRequest
  extends Schema.Error<InvalidRequest>("InvalidRequest")(fields("InvalidRequest", "invalid_request"), {
    httpApiStatus: 400
  })
{}

/** The client could not be authenticated (RFC 6749 §5.2). */
export class InvalidClient
  extends Schema.Error<InvalidClient>("InvalidClient")(fields("InvalidClient", "invalid_client"), {
    httpApiStatus: 401
  })
{}

/** The bearer credential of an introspection request is not valid (RFC 7662 §2.3, RFC 6750 §3.1). */
export class InvalidBearer
  extends Schema.Error<InvalidBearer>("InvalidBearer")(fields("InvalidBearer", "invalid_token"), { httpApiStatus: 401 })
{}

/** The code or refresh token is unknown, spent, expired, or another client's (RFC 6749 §5.2). */
export class InvalidGrant
  extends Schema.Error<InvalidGrant>("InvalidGrant")(fields("InvalidGrant", "invalid_grant"), { httpApiStatus: 400 })
{}

/** The client may not use this grant type (RFC 6749 §5.2). */
export class UnauthorizedClient extends Schema.Error<UnauthorizedClient>("UnauthorizedClient")(
  fields("UnauthorizedClient", "unauthorized_client"),
  { httpApiStatus: 400 }
) {}

/** The server does not know this grant type (RFC 6749 §5.2). */
export class UnsupportedGrantType extends Schema.Error<UnsupportedGrantType>("UnsupportedGrantType")(
  fields("UnsupportedGrantType", "unsupported_grant_type"),
  { httpApiStatus: 400 }
) {}

/** The response type is not `code` (RFC 6749 §4.1.2.1). */
export class UnsupportedResponseType extends Schema.Error<UnsupportedResponseType>("UnsupportedResponseType")(
  fields("UnsupportedResponseType", "unsupported_response_type"),
  { httpApiStatus: 400 }
) {}

/** The scope is missing, unknown, or exceeds what may be asked for (RFC 6749 §4.1.2.1, §5.2). */
export class InvalidScope
  extends Schema.Error<InvalidScope>("InvalidScope")(fields("InvalidScope", "invalid_scope"), { httpApiStatus: 400 })
{}

/** The user denied the request (RFC 6749 §4.1.2.1). */
export class AccessDenied
  extends Schema.Error<AccessDenied>("AccessDenied")(fields("AccessDenied", "access_denied"), { httpApiStatus: 403 })
{}

/** The server cannot answer now; the same request may succeed later (RFC 6749 §4.1.2.1). */
export class TemporarilyUnavailable extends Schema.Error<TemporarilyUnavailable>("TemporarilyUnavailable")(
  fields("TemporarilyUnavailable", "temporarily_unavailable"),
  { httpApiStatus: 503 }
) {}

/** Errors that the authorization endpoint may send to a client by redirect (RFC 6749 §4.1.2.1). */
export type AuthorizationError = InvalidRequest | UnsupportedResponseType | InvalidScope | AccessDenied

/** Errors that the token endpoint answers in the form of RFC 6749 §5.2. */
export type TokenError =
  | InvalidRequest
  | InvalidClient
  | InvalidBearer
  | InvalidGrant
  | UnauthorizedClient
  | UnsupportedGrantType
  | InvalidScope
  | TemporarilyUnavailable

/** Reason of an error for the app's owner alone. It is kept outside the fields, so it never reaches the wire. */
export const because = <E extends Error>(error: E, reason: string): E => Object.assign(error, { cause: reason })

/** Reason of an error, or else its description. */
export const reasonOf = ({ cause, error_description }: Error & { readonly error_description: string }): string =>
  typeof cause === "string" ? cause : error_description
