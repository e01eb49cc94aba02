import { DateTime, Effect, Schema, SchemaGetter } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import * as ApiError from "../../domain/ApiError.ts"

/** What resource and management endpoints answer: `{"status":"success","data":…}`. */
export const success = <S extends Schema.Top>(data: S) => Schema.Struct({ status: Schema.Literal("success"), data })

/** The data in its envelope. */
export const succeed = <A>(data: A) => ({ status: "success" as const, data })

/** The error envelope as it goes over the wire. */
const Wire = Schema.Struct({
  status: Schema.Literal("error"),
  timestamp: Schema.String,
  path: Schema.String,
  error: Schema.Struct({
    code: Schema.String,
    message: Schema.String,
    details: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String }))
  })
})

type Fields = Pick<ApiError.ApiError, "code" | "message" | "details">

const refusal = <E extends ApiError.ApiError>(
  error: Schema.Codec<E, unknown> & { new(fields: Fields): E },
  status: number
) =>
  Wire.pipe(
    Schema.decodeTo(Schema.toType(error), {
      decode: SchemaGetter.transform(({ error: fields }: typeof Wire.Type) => new error(fields)),
      encode: SchemaGetter.transformEffect((refusal: Fields) => envelope(refusal))
    }),
    HttpApiSchema.status(status)
  )

/** The envelope around a refusal, with the moment and the path of the request. */
export const envelope = (fields: Fields) =>
  Effect.map(
    Effect.all([HttpServerRequest.HttpServerRequest, DateTime.now]),
    ([request, now]) => enveloped(fields, request, now)
  )

/** The same where there is no effect. */
export const enveloped = (
  { code, details = [], message }: Fields,
  request: { readonly url: string },
  now: DateTime.Utc
) => ({
  status: "error" as const,
  timestamp: DateTime.formatIso(now),
  path: pathOf(request),
  error: { code, message, details }
})

/** The path of a request without its query, which may hold what no log or answer should repeat. */
export const pathOf = ({ url }: { readonly url: string }): string => url.replace(/[?#].*$/s, "")

/** The refusals of the domain as an endpoint declares them: with their status, and in the envelope on the wire. */
export const refusals = {
  badRequest: refusal(ApiError.BadRequest, 400),
  unauthorized: refusal(ApiError.Unauthorized, 401),
  forbidden: refusal(ApiError.Forbidden, 403),
  notFound: refusal(ApiError.NotFound, 404),
  conflict: refusal(ApiError.Conflict, 409),
  payloadTooLarge: refusal(ApiError.PayloadTooLarge, 413),
  unsupportedMediaType: refusal(ApiError.UnsupportedMediaType, 415),
  tooManyRequests: refusal(ApiError.TooManyRequests, 429),
  internalServerError: refusal(ApiError.InternalServerError, 500),
  serviceUnavailable: refusal(ApiError.ServiceUnavailable, 503)
} as const

/** What the error boundary may answer to any request that the database has a part in. */
export const failures = [refusals.internalServerError, refusals.serviceUnavailable] as const
