import { ByteSize, Cause, Effect, Layer, Option, type Types } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { SqlError } from "effect/sql"
import { AppConfig } from "../config/AppConfig.ts"
import { envelope, pathOf } from "../http/Envelope.ts"
import { securityHeaders } from "../http/SecurityHeaders.ts"
import { failurePage } from "./Layout.ts"

/**
 * What holds for every answer: a bounded body, the security headers, and an answer with a cause where a handler gave
 * none. The API answers in the envelope, the web application with a page.
 */
export const ErrorBoundary = Layer.unwrap(Effect.gen(function*() {
  // As a list, which is read without being taken apart for each answer.
  const headers = Object.entries(securityHeaders(yield* AppConfig))
  return HttpRouter.middleware(
    (httpEffect) =>
      httpEffect.pipe(
        Effect.provideService(HttpIncomingMessage.MaxBodySize, maxBodySize),
        Effect.catchCause(answer),
        Effect.map(HttpServerResponse.setHeaders(headers))
      ),
    { global: true }
  )
}))

const maxBodySize = ByteSize.fromInputUnsafe("64 KiB")

// The router wants a middleware to leave errors unhandled; this one is the last resort for all of them.
const answer = Effect.fnUntraced(function*(
  cause: Cause.Cause<unknown>
): Effect.fn.Return<HttpServerResponse.HttpServerResponse, Types.unhandled, HttpServerRequest.HttpServerRequest> {
  if (Cause.hasInterruptsOnly(cause)) return yield* Effect.failCause(cause as Cause.Cause<never>)
  const request = yield* HttpServerRequest.HttpServerRequest
  const path = pathOf(request)
  const failure = classify(cause)
  if (failure.status >= 500) {
    yield* Effect.logError("A request failed", cause).pipe(Effect.annotateLogs({ method: request.method, path }))
  }
  const response = path.startsWith("/v2/") || path.startsWith("/.well-known/")
    ? HttpServerResponse.jsonUnsafe(
      yield* envelope({ code: failure.code, message: `${failure.what} ${failure.remedy}` }),
      { status: failure.status, headers: { "cache-control": "no-store" } }
    )
    : failurePage(failure)
  return failure.status === 503 ? HttpServerResponse.setHeader(response, "retry-after", "5") : response
})

interface Classified {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly what: string
  readonly remedy: string
  readonly next?: { readonly href: string; readonly label: string }
}

const notFound: Classified = {
  status: 404,
  code: "not_found",
  title: "Not found",
  what: "There is nothing at this address.",
  remedy: "Check the address for a typing mistake.",
  next: { href: "/", label: "Front page" }
}
const tooLarge: Classified = {
  status: 413,
  code: "payload_too_large",
  title: "Too large",
  what: "The body is larger than 64 KiB.",
  remedy: "Send less."
}
const malformed: Classified = {
  status: 400,
  code: "malformed_request",
  title: "Not understood",
  what: "The request could not be read.",
  remedy: "The program that sent it made a mistake."
}
const unavailable: Classified = {
  status: 503,
  code: "temporarily_unavailable",
  title: "Not available just now",
  what: "The server cannot reach its database.",
  remedy: "This is our fault; try again in a few seconds."
}
const broken: Classified = {
  status: 500,
  code: "internal_error",
  title: "Something broke",
  what: "The server made a mistake.",
  remedy: "This is our fault, and it has been logged; trying again may help."
}

const classify = (cause: Cause.Cause<unknown>): Classified => {
  const error = Option.getOrElse(Cause.findErrorOption(cause), () => Cause.squash(cause))
  if (HttpServerError.isHttpServerError(error)) {
    if (error.reason._tag === "RouteNotFound") return notFound
    if (error.reason._tag === "RequestParseError") {
      return error.reason.reason === "BodyTooLarge" ? tooLarge : malformed
    }
  }
  return SqlError.isSqlError(error) && error.isRetryable ? unavailable : broken
}
