import { Effect, Result } from "effect"
import type { HttpServerError, HttpServerRequest } from "effect/http"
import { isUtf8 } from "node:buffer"
import { InvalidRequest } from "../../domain/OAuthError.ts"
import * as Parameters from "../../domain/Parameters.ts"
import * as Body from "../../foundation/http/Body.ts"
import * as MediaType from "../../foundation/http/MediaType.ts"

/** A body could not be read; the status says why. */
export interface Unreadable {
  readonly _tag: "Unreadable"
  readonly status: 400 | 413 | 415
  readonly error: InvalidRequest
  readonly headers?: Record<string, string>
}

/** Reads the parameters of a body; those of the query are not read (RFC 6749 §3.2). */
export type ParametersReader = (
  request: HttpServerRequest.HttpServerRequest
) => Effect.Effect<Parameters.Parameters, Unreadable>

/** Reads forms and, as docs/design.md decides, JSON: there the `known` parameters must be strings. */
export const parametersReader = (known: ReadonlySet<string>): ParametersReader => {
  const formats = new Map<string, Format>([
    ["application/x-www-form-urlencoded", Parameters.fromForm],
    // As `fetch` writes it.
    ["application/x-www-form-urlencoded;charset=UTF-8", Parameters.fromForm],
    ["application/json", (body: string) => Parameters.fromJson(body, known)]
  ])
  const declared = (contentType: string) => {
    const type = MediaType.parse(contentType)
    const format = formats.get(type?.essence ?? "")
    if (type?.charset === undefined || type.charset === "utf-8") return format
    return format !== undefined && supersetsOfAscii.has(type.charset) ? asciiOnly(format) : undefined
  }
  // Most clients write one of these exactly, which needs no parser.
  const formatOf = (contentType: string) => formats.get(contentType) ?? declared(contentType)

  return (request) => {
    const parse = formatOf(request.headers["content-type"] ?? "")
    if (parse === undefined) return unsupportedType
    if (Body.isEncoded(request)) return unsupportedCoding
    return Effect.flatMap(Effect.mapError(Body.bytes(request), readFailure), (body) => {
      if (!isUtf8(body)) return unreadable(400, "the body is not valid UTF-8")
      const parameters = parse(body.toString("utf8"))
      return Result.isSuccess(parameters) ? Effect.succeed(parameters.success) : unreadable(400, parameters.failure)
    })
  }
}

export const missingParameter = (name: string) =>
  Effect.fail(new InvalidRequest({ error_description: `${name} is missing` }))

type Format = (body: string) => Result.Result<Parameters.Parameters, Parameters.Malformed>

/** Encodings that clients declare by default, and whose ASCII part is the same as UTF-8's. */
const supersetsOfAscii: ReadonlySet<string> = new Set(["iso-8859-1", "us-ascii"])

/** Reads a body whose characters and escapes mean the same in the declared encoding and in UTF-8. */
const asciiOnly = (format: Format): Format => (body) =>
  /[^\0-\x7f]|%[89a-f]/i.test(body) ? Result.fail("the body is not ASCII: send it as UTF-8") : format(body)

const failure = (status: Unreadable["status"], error_description: string): Unreadable => ({
  _tag: "Unreadable",
  status,
  error: new InvalidRequest({ error_description })
})

export const unreadable = (status: Unreadable["status"], description: string) => Effect.fail(failure(status, description))

const unsupportedType = unreadable(
  415,
  "send the parameters as application/x-www-form-urlencoded or as application/json"
)

export const unsupportedCoding = Effect.fail({
  ...failure(415, "send the body without a Content-Encoding"),
  headers: Body.takesNoCoding
})

export const readFailure = ({ reason }: HttpServerError.HttpServerError): Unreadable =>
  reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
    ? failure(413, "the body is too large")
    : failure(400, "the body could not be read")
