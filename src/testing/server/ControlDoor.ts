import { ByteSize, Cause, Effect, Exit, Option, Redacted } from "effect"
import { HttpIncomingMessage, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ApiError } from "../../domain/ApiError.ts"
import { BadRequest, NotFound } from "../../domain/ApiError.ts"
import * as Bearer from "../../domain/Bearer.ts"
import { messageOf } from "../../domain/Cause.ts"
import { sameText } from "../../domain/ConstantTime.ts"
import { errorEnvelope, pathOf } from "../../foundation/http/Envelope.ts"
import type { Command } from "./Commands.ts"

/**
 * Answers `POST /<command>` with JSON, to callers who have the token: another program on this machine, or a page in its
 * browser, may find the port. What cannot be done is answered in the envelope of the management API.
 */
export const answer = (token: Redacted.Redacted, commands: ReadonlyMap<string, Command>) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { authorization } = request.headers
    const credentials = Bearer.parse(authorization)
    const isKnown = credentials._tag === "Token" && sameText(credentials.token, Redacted.value(token))
    if (!isKnown) return yield* refuse(unauthorized)
    const command = commands.get(pathOf(request).slice(1))
    if (command === undefined) {
      const message = `There is no such command, but ${[...commands.keys()].join(", ")}.`
      return yield* refuse({ status: 404, code: "command_not_found", message })
    }
    if (request.method !== "POST") return yield* refuse(wrongMethod)
    const body = yield* Effect.exit(readJson(request))
    if (Exit.isFailure(body)) return yield* refuse(isTooLarge(body.cause) ? tooLarge : notJson)
    const done = yield* Effect.exit(Effect.timeoutOption(command(body.value), "30 seconds"))
    if (Exit.isFailure(done)) return yield* refuse(reasonOf(done.cause))
    if (Option.isNone(done.value)) return yield* refuse(timedOut)
    return HttpServerResponse.jsonUnsafe(done.value.value ?? {}, { headers })
  }).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe("64 KiB"))
  )

const readJson = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.flatMap(request.text, (text) => Effect.try(() => text === "" ? {} : JSON.parse(text)))

const isTooLarge = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  return HttpServerError.isHttpServerError(error) && error.reason._tag === "RequestParseError" &&
    error.reason.reason === "BodyTooLarge"
}

interface Refusal extends Pick<ApiError, "code" | "message" | "details"> {
  readonly status: number
}

const refuse = ({ status, ...error }: Refusal) =>
  Effect.map(errorEnvelope(error), (envelope) =>
    HttpServerResponse.jsonUnsafe(envelope, {
      status,
      headers: { ...headers, ...required[status] }
    }))

const headers = { "cache-control": "no-store" }

/** Headers that a status must have (RFC 9110 §15.5.2, §15.5.6). */
const required: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { "www-authenticate": "Bearer" },
  405: { allow: "POST" }
}

/** A thing that cannot be made is a defect in the kit, whose message says why. */
const reasonOf = (cause: Cause.Cause<BadRequest | NotFound>): Refusal => {
  const error = Cause.squash(cause)
  if (error instanceof BadRequest || error instanceof NotFound) {
    const { code, details = [], message } = error
    return { status: error instanceof BadRequest ? 400 : 404, code, message, details }
  }
  return { status: 400, code: "cannot_be_done", message: messageOf(error) }
}

const unauthorized: Refusal = {
  status: 401,
  code: "control_token_missing",
  message: "A command needs the token of the control port: Authorization: Bearer …"
}
const wrongMethod: Refusal = { status: 405, code: "method_not_allowed", message: "Commands take POST alone." }
const notJson: Refusal = { status: 400, code: "malformed_request", message: "The body is not JSON." }
const tooLarge: Refusal = { status: 413, code: "payload_too_large", message: "The body is larger than 64 KiB." }
const timedOut: Refusal = { status: 503, code: "timed_out", message: "The command was not done within 30 seconds." }
