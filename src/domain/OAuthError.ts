import { Schema } from "effect"
import type { UserId } from "./Ids.ts"

// `_tag` serves `catchTag` and never reaches the wire; `error` is the code of the specification.
const oauthError =
  <Self>() => <const Tag extends string, const Code extends string>(tag: Tag, code: Code, httpApiStatus = 400) =>
    Schema.Error<Self>(tag)(
      { _tag: Schema.tagDefaultOmit(tag), error: Schema.tag(code), error_description: Schema.String },
      { httpApiStatus }
    )

/** The request lacks a parameter, repeats one, or is otherwise malformed (RFC 6749 §4.1.2.1, §5.2). */
export class InvalidRequest extends oauthError<InvalidRequest>()("InvalidRequest", "invalid_request") {}

/** The client could not be authenticated (RFC 6749 §5.2). */
export class InvalidClient extends oauthError<InvalidClient>()("InvalidClient", "invalid_client", 401) {}

/** The bearer credential of an introspection request is not valid (RFC 7662 §2.3, RFC 6750 §3.1). */
export class InvalidBearer extends oauthError<InvalidBearer>()("InvalidBearer", "invalid_token", 401) {}

/** The code or refresh token is unknown, spent, expired, or another client's (RFC 6749 §5.2). */
export class InvalidGrant extends oauthError<InvalidGrant>()("InvalidGrant", "invalid_grant") {}

/** The client may not use this grant type (RFC 6749 §5.2). */
export class UnauthorizedClient extends oauthError<UnauthorizedClient>()("UnauthorizedClient", "unauthorized_client") {}

/** The server does not know this grant type (RFC 6749 §5.2). */
export class UnsupportedGrantType
  extends oauthError<UnsupportedGrantType>()("UnsupportedGrantType", "unsupported_grant_type")
{}

/** The response type is not `code` (RFC 6749 §4.1.2.1). */
export class UnsupportedResponseType
  extends oauthError<UnsupportedResponseType>()("UnsupportedResponseType", "unsupported_response_type")
{}

/** The scope is missing, unknown, or exceeds what may be asked for (RFC 6749 §4.1.2.1, §5.2). */
export class InvalidScope extends oauthError<InvalidScope>()("InvalidScope", "invalid_scope") {}

/** The resource is unknown, not the one of the grant, or no absolute URI without a fragment (RFC 8707 §2). */
export class InvalidTarget extends oauthError<InvalidTarget>()("InvalidTarget", "invalid_target") {}

/** The user denied the request (RFC 6749 §4.1.2.1). */
export class AccessDenied extends oauthError<AccessDenied>()("AccessDenied", "access_denied", 403) {}

/** The server cannot answer now; the same request may succeed later (RFC 6749 §4.1.2.1). */
export class TemporarilyUnavailable
  extends oauthError<TemporarilyUnavailable>()("TemporarilyUnavailable", "temporarily_unavailable", 503)
{}

/** A redirect URI of a registration is not valid (RFC 7591 §3.2.2). */
export class InvalidRedirectUri
  extends oauthError<InvalidRedirectUri>()("InvalidRedirectUri", "invalid_redirect_uri")
{}

/** Another member of a registration is not valid, or the server rejects it (RFC 7591 §3.2.2). */
export class InvalidClientMetadata
  extends oauthError<InvalidClientMetadata>()("InvalidClientMetadata", "invalid_client_metadata")
{}

/** The software statement of a registration is no text (RFC 7591 §3.2.2). */
export class InvalidSoftwareStatement
  extends oauthError<InvalidSoftwareStatement>()("InvalidSoftwareStatement", "invalid_software_statement")
{}

/** The server trusts nobody who makes software statements (RFC 7591 §3.2.2). */
export class UnapprovedSoftwareStatement
  extends oauthError<UnapprovedSoftwareStatement>()("UnapprovedSoftwareStatement", "unapproved_software_statement")
{}

/** Errors that the authorization endpoint may send to a client by redirect (RFC 6749 §4.1.2.1). */
export type AuthorizationError = InvalidRequest | UnsupportedResponseType | InvalidScope | InvalidTarget | AccessDenied

/** Errors that the token endpoint answers in the form of RFC 6749 §5.2. */
export type TokenError =
  | InvalidRequest
  | InvalidClient
  | InvalidBearer
  | InvalidGrant
  | UnauthorizedClient
  | UnsupportedGrantType
  | InvalidScope
  | InvalidTarget
  | TemporarilyUnavailable

/** Reasons why metadata of a registration are not taken (RFC 7591 §3.2.2). */
export type MetadataError =
  | InvalidRedirectUri
  | InvalidClientMetadata
  | InvalidSoftwareStatement
  | UnapprovedSoftwareStatement

/** Why a request was refused, and about whom it was: for the owner of the app and for support alone. */
class Explanation {
  readonly reason: string
  readonly userId: UserId | undefined

  constructor(reason: string, userId: UserId | undefined) {
    this.reason = reason
    this.userId = userId
  }
}

/**
 * Adds the reason of an error, and the user whose code or grant it is about. They are kept outside the fields, so they
 * never reach the wire.
 */
export const because = <E extends Error>(error: E, reason: string, userId?: UserId): E =>
  Object.assign(error, { cause: new Explanation(reason, userId) })

/** Reason of an error, or else its description. */
export const reasonOf = ({ cause, error_description }: Error & { readonly error_description: string }): string =>
  cause instanceof Explanation ? cause.reason : error_description

/** User whose code or grant an error is about, where that is known. */
export const userOf = ({ cause }: Error): UserId | undefined => cause instanceof Explanation ? cause.userId : undefined
