import { Schema } from "effect"
import { Rule } from "./Rule.ts"

// Errors of the management API. A service fails with one of these, and the HTTP layer puts the envelope around it.
const apiError = <Self>() => <const Tag extends string>(tag: Tag, httpApiStatus: number) =>
  Schema.TaggedError<Self>()(tag, {
    /** Error for programs, in lower snake case. */
    code: Schema.String,
    /** Error for people: a full sentence, without anything secret. */
    message: Schema.String,
    /** One entry for each field at fault; it has no rule where no page says what is wrong. */
    details: Schema.optionalKey(
      Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String, rule: Schema.optionalKey(Rule) }))
    )
  }, { httpApiStatus })

/** The input does not fit; nothing was changed. */
export class BadRequest extends apiError<BadRequest>()("BadRequest", 400) {}

/** The caller is not signed in, or the credential is not valid. */
export class Unauthorized extends apiError<Unauthorized>()("Unauthorized", 401) {}

/** Signed in, but not allowed. */
export class Forbidden extends apiError<Forbidden>()("Forbidden", 403) {}

/** It does not exist, or not for the caller. */
export class NotFound extends apiError<NotFound>()("NotFound", 404) {}

/** The state has moved on, or a rule of the domain forbids the move. */
export class Conflict extends apiError<Conflict>()("Conflict", 409) {}

/** The body is larger than the server accepts. */
export class PayloadTooLarge extends apiError<PayloadTooLarge>()("PayloadTooLarge", 413) {}

/** The endpoint does not accept the media type of the body. */
export class UnsupportedMediaType extends apiError<UnsupportedMediaType>()("UnsupportedMediaType", 415) {}

/** Too many attempts; a later one may succeed. */
export class TooManyRequests extends apiError<TooManyRequests>()("TooManyRequests", 429) {}

/** The server made a mistake. */
export class InternalServerError extends apiError<InternalServerError>()("InternalServerError", 500) {}

/** The database is away, or the server has too much to do; the same request may succeed later. */
export class ServiceUnavailable extends apiError<ServiceUnavailable>()("ServiceUnavailable", 503) {}

export type ApiError =
  | BadRequest
  | Unauthorized
  | Forbidden
  | NotFound
  | Conflict
  | PayloadTooLarge
  | UnsupportedMediaType
  | TooManyRequests
  | InternalServerError
  | ServiceUnavailable
