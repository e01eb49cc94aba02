import { Effect, Result } from "effect"
import type { HttpServerError, HttpServerRequest } from "effect/http"
import { isUtf8 } from "node:buffer"
import { InvalidRequest } from "../../domain/OAuthError.ts"
import * as Parameters from "../../domain/Parameters.ts"
import * as Body from "../../foundation/http/Body.ts"

/** A body that could not be read, and the status that says why. */
export interface Unreadable {
  readonly _tag: "Unreadable"
  readonly status: 400 | 413 | 415
  readonly error: InvalidRequest
}

/** The parameters of a body, as a form or as JSON (design, token endpoint); the query is not read (RFC 6749 §3.2). */
export const readParameters = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<Parameters.Parameters, Unreadable> => {
  const parse = formatOf(request.headers["content-type"] ?? "")
  if (parse === undefined) return wrongType
  return Effect.flatMap(Effect.mapError(Body.bytes(request), unread), (body) => {
    if (!isUtf8(body)) return unreadable(400, "the body is not valid UTF-8")
    const parameters = parse(body.toString("utf8"))
    return Result.isSuccess(parameters) ? Effect.succeed(parameters.success) : unreadable(400, parameters.failure)
  })
}

const known = new Set([
  "grant_type",
  "client_id",
  "client_secret",
  "code",
  "redirect_uri",
  "code_verifier",
  "refresh_token",
  "scope",
  "token",
  "token_type_hint"
])

const formats = new Map([
  ["application/x-www-form-urlencoded", Parameters.fromForm],
  ["application/json", (body: string) => Parameters.fromJson(body, known)]
])

const formatOf = (contentType: string) => formats.get(contentType) ?? withAttributes(contentType)

/** Of a media type with attributes, or written in another way (RFC 9110 §8.3.1). */
const withAttributes = (contentType: string) => {
  const [type = "", ...attributes] = contentType.toLowerCase().split(";").map((part) => part.trim())
  const charset = attributes.find((attribute) => attribute.startsWith("charset="))?.slice(8).replaceAll("\"", "")
  return charset === undefined || charset === "utf-8" ? formats.get(type) : undefined
}

const failure = (status: Unreadable["status"], error_description: string): Unreadable => ({
  _tag: "Unreadable",
  status,
  error: new InvalidRequest({ error_description })
})

const unreadable = (status: Unreadable["status"], description: string) => Effect.fail(failure(status, description))

const wrongType = unreadable(415, "send the parameters as application/x-www-form-urlencoded or as application/json")

const unread = ({ reason }: HttpServerError.HttpServerError): Unreadable =>
  reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
    ? failure(413, "the body is too large")
    : failure(400, "the body could not be read")
