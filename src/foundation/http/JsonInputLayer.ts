import { Effect, Layer } from "effect"
import { HttpEffect, type HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { isUtf8 } from "node:buffer"
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from "../../domain/ApiError.ts"
import * as Input from "../../domain/Input.ts"
import * as Body from "./Body.ts"
import { JsonInput } from "./JsonInput.ts"
import * as MediaType from "./MediaType.ts"

/** Implements `JsonInput`, apart from it so that the contract imports no server. */
export const jsonInputLayer = Layer.succeed(
  JsonInput,
  JsonInput.of((httpEffect, { endpoint }) =>
    Effect.andThen(checkBody(endpoint.payload.size > 0), httpEffect).pipe(
      Effect.catch((error) => HttpApiError.HttpApiSchemaError.is(error) ? refused(error) : Effect.fail(error))
    )
  )
)

const refused = Effect.fnUntraced(function*({ cause: { issue }, kind }: HttpApiError.HttpApiSchemaError) {
  if (kind !== "Query") return yield* Input.invalid(Input.faults(issue))
  return yield* Input.invalid(Input.queryFaults(issue, yield* HttpServerRequest.ParsedSearchParams))
})

const checkBody = Effect.fnUntraced(function*(takesBody: boolean) {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (request.method === "GET" || request.method === "HEAD") return
  const body = new Uint8Array(yield* Effect.mapError(request.arrayBuffer, unreadable))
  const type = request.headers["content-type"]
  // Without a body its type matters only where the builder would refuse it, in plain text.
  if (body.length === 0 && (type === undefined || !takesBody)) return
  if (MediaType.parse(type)?.essence !== "application/json") {
    return yield* new UnsupportedMediaType({
      code: "unsupported_media_type",
      message: "The body must be sent as application/json."
    })
  }
  if (Body.isEncoded(request)) {
    yield* HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.succeed(HttpServerResponse.setHeaders(response, Body.takesNoCoding))
    )
    return yield* new UnsupportedMediaType({
      code: "unsupported_media_type",
      message: "The body must be sent without a Content-Encoding."
    })
  }
  if (!isUtf8(body)) {
    return yield* new BadRequest({ code: "invalid_encoding", message: "The body is not valid UTF-8." })
  }
})

const unreadable = ({ reason }: HttpServerError.HttpServerError) =>
  reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
    ? new PayloadTooLarge({ code: "payload_too_large", message: "The body is larger than 64 KiB." })
    : new BadRequest({ code: "unreadable_body", message: "The body could not be read." })
