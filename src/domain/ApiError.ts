import { Schema } from "effect"

// Errors of the management API. A service fails with one of these, and the HTTP layer puts the envelope around it.
const fields = {
  /** Error for programs, in lower snake case. */
  code: Schema.String,
  /** Error for people: a full sentence, without anything secret. */
  message: Schema.String,
  /** One entry for each field at fault. */
  details: Schema.optionalKey(Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String })))
}

/** The input does not fit; nothing was changed. */
export class BadRequest extends Schema.TaggedError<BadRequest>()("BadRequest", fields, { httpApiStatus: 400 }) {}

/** The caller is not signed in, or the credential is not valid. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", fields, { httpApiStatus: 401 }) {}

/** Signed in, but not allowed. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", fields, { httpApiStatus: 403 }) {}

/** It does not exist, or not for the caller. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", fields, { httpApiStatus: 404 }) {}

/** The state has moved on, or a rule of the domain forbids the move. */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", fields, { httpApiStatus: 409 }) {}

/** The body is larger than the server accepts. */
export class PayloadTooLarge
  extends Schema.TaggedError<PayloadTooLarge>()("PayloadTooLarge", fields, { httpApiStatus: 413 })
{}

/** The endpoint does not accept the media type of the body. */
export class UnsupportedMediaType
  extends Schema.TaggedError<UnsupportedMediaType>()("UnsupportedMediaType", fields, { httpApiStatus: 415 })
{}

/** Too many attempts; a later one may succeed. */
export class TooManyRequests
  extends Schema.TaggedError<TooManyRequests>()("TooManyRequests", fields, { httpApiStatus: 429 })
{}

/** The server made a mistake. */
export class InternalServerError
  extends Schema.TaggedError<InternalServerError>()("InternalServerError", fields, { httpApiStatus: 500 })
{}

/** The database is away, or the server has too much to do; the same request may succeed later. */
export class ServiceUnavailable
  extends Schema.TaggedError<ServiceUnavailable>()("ServiceUnavailable", fields, { httpApiStatus: 503 })
{}

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
