import { DateTime, Effect, Schema, SchemaGetter } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import * as ApiError from "../../domain/ApiError.ts"
import { requestIdOf } from "../log/RequestId.ts"

// This room is what programs get from every door: the envelope of the API, bodies, media types, addresses and headers.

/** Schema of a successful response of resource and management endpoints: `{"status":"success","data":…}`. */
export const success = <S extends Schema.Top>(data: S) => Schema.Struct({ status: Schema.Literal("success"), data })

/** Data in that envelope. */
export const succeed = <A>(data: A) => ({ status: "success" as const, data })

/** Error envelope on the wire. */
const Wire = Schema.Struct({
  status: Schema.Literal("error"),
  timestamp: Schema.String,
  path: Schema.String,
  requestId: Schema.String,
  error: Schema.Struct({
    code: Schema.String,
    message: Schema.String,
    details: Schema.Array(
      Schema.Struct({ path: Schema.String, message: Schema.String }).annotate({ identifier: "Fault" })
    )
  })
})

type Fields = Pick<ApiError.ApiError, "code" | "message" | "details">

const inEnvelope = <E extends ApiError.ApiError>(
  error: Schema.Codec<E, unknown> & { new(fields: Fields): E },
  status: number
) =>
  Wire.pipe(
    Schema.decodeTo(Schema.toType(error), {
      decode: SchemaGetter.transform(({ error: fields }: typeof Wire.Type) => new error(fields)),
      encode: SchemaGetter.transformEffect((error: Fields) => errorEnvelope(error))
    }),
    HttpApiSchema.status(status)
  )

/** Envelope of an error, with the time, the path and the id of the request. */
export const errorEnvelope = (fields: Fields) =>
  Effect.map(
    Effect.all([HttpServerRequest.HttpServerRequest, DateTime.now]),
    ([request, now]) => errorEnvelopeAt(now, { path: pathOf(request), requestId: requestIdOf(request) }, fields)
  )

/** Same, outside of an effect. */
export const errorEnvelopeAt = (
  now: DateTime.Utc,
  { path, requestId }: { readonly path: string; readonly requestId: string },
  { code, details = [], message }: Fields
) => ({
  status: "error" as const,
  timestamp: DateTime.formatIso(now),
  path,
  requestId,
  // Pages alone need the rules.
  error: { code, message, details: details.map(({ message, path }) => ({ path, message })) }
})

/** Path of a request, without the query: that may contain secrets, which belong in no log and no response. */
export const pathOf = ({ url }: { readonly url: string }): string => url.replace(/[?#].*$/s, "")

/** Errors of the domain as endpoints declare them: with their status, and in the envelope on the wire. */
export const refusals = {
  badRequest: inEnvelope(ApiError.BadRequest, 400),
  unauthorized: inEnvelope(ApiError.Unauthorized, 401),
  forbidden: inEnvelope(ApiError.Forbidden, 403),
  notFound: inEnvelope(ApiError.NotFound, 404),
  conflict: inEnvelope(ApiError.Conflict, 409),
  payloadTooLarge: inEnvelope(ApiError.PayloadTooLarge, 413),
  unsupportedMediaType: inEnvelope(ApiError.UnsupportedMediaType, 415),
  tooManyRequests: inEnvelope(ApiError.TooManyRequests, 429),
  internalServerError: inEnvelope(ApiError.InternalServerError, 500),
  serviceUnavailable: inEnvelope(ApiError.ServiceUnavailable, 503)
} as const

/** Answers of the error boundary to any request that needs the database. */
export const failures = [refusals.internalServerError, refusals.serviceUnavailable] as const
