import { ByteSize, Cause, Context, Effect, Fiber, Option, type Types } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import { retryAfterSeconds, TooManyAttempts, waitMinutes } from "../../domain/TooManyAttempts.ts"
import { AppConfig } from "../config/AppConfig.ts"
import * as Outages from "../database/Outages.ts"
import { isForOAuth, isForProgram } from "../http/ApiPaths.ts"
import { corsHeaders } from "../http/Cors.ts"
import { errorEnvelope } from "../http/Envelope.ts"
import { type MatchedRoute, RouteMethods } from "../http/RouteMethods.ts"
import { securityHeaders } from "../http/SecurityHeaders.ts"
import * as Unavailable from "../http/Unavailable.ts"
import { header, requestIdOf } from "../log/RequestId.ts"
import { unmatched } from "../operator/RouteTemplates.ts"
import { completed } from "./CompletedPage.ts"
import { type Failure, failurePage } from "./Layout.ts"
import { inEnglish, type Message, type PlainValues, text } from "./Message.ts"

/**
 * Limits the body, adds the security headers and the id of the request, and answers where a handler failed. The API
 * gets the error envelope, the web application a page with the navigation of its viewer. A server that notes its routes
 * in `RouteMethods` lets other origins read the failures of what they may call.
 */
const boundary = Effect.gen(function*() {
  // A list of pairs is quicker to read than an object: it need not be taken apart for each response.
  const config = yield* AppConfig
  const pairs = Object.entries(securityHeaders(config))
  // One list serves all responses, because each has read it before the next is made.
  const id: [name: string, value: string] = [header, ""]
  const headers = [...pairs, id]
  const finish = (response: HttpServerResponse.HttpServerResponse) => {
    id[1] = requestIdOf(currentRequest())
    return HttpServerResponse.setHeaders(response, headers)
  }
  const routes = Option.getOrUndefined(yield* Effect.serviceOption(RouteMethods))
  const failureResponse = respondTo((target) => routes?.at(target), yield* completed)
  return (httpEffect: Effect.Effect<HttpServerResponse.HttpServerResponse, Types.unhandled>) =>
    httpEffect.pipe(
      Effect.catchCause(failureResponse),
      Effect.provideService(HttpIncomingMessage.MaxBodySize, maxBodySize),
      Effect.map(finish)
    )
})

/**
 * Boundary around all that a server answers: what no route takes gets 404 from it, and another method than those of an
 * address 405.
 */
export const ErrorBoundary = HttpRouter.middleware(boundary, { global: true })

/** Boundary around the routes that it is provided to, in a program that has others. */
export const RouteBoundary = HttpRouter.middleware(boundary).layer

/** Request of the running fiber. To ask for it as a service would be one more step of each request. */
const currentRequest = (): HttpServerRequest.HttpServerRequest =>
  Context.getUnsafe(Fiber.getCurrent()?.context ?? Context.empty(), HttpServerRequest.HttpServerRequest)

const maxBodySize = ByteSize.fromInputUnsafe("64 KiB")

// The type of a middleware demands an unhandled error; this one leaves none.
const respondTo = (
  routeAt: (target: string) => MatchedRoute | undefined,
  complete: Effect.Success<typeof completed>
) =>
  Effect.fnUntraced(function*(
    cause: Cause.Cause<unknown>
  ): Effect.fn.Return<HttpServerResponse.HttpServerResponse, Types.unhandled, HttpServerRequest.HttpServerRequest> {
    if (Cause.hasInterruptsOnly(cause)) return yield* Effect.failCause(cause as Cause.Cause<never>)
    const request = yield* HttpServerRequest.HttpServerRequest
    const matched = routeAt(request.url)
    const known = failureOf(cause)
    const failure = known === notFound && matched !== undefined ? wrongMethod(matched) : known
    if (failure.status >= 500 && failure !== noRoom) {
      yield* Effect.annotateLogs(Outages.logFailure("A request failed", cause), {
        http_request_method: request.method,
        http_route: yield* route
      })
    }
    // A web app with a mistyped address reads that it is not there, too.
    const isReadable = matched === undefined ? isForProgram(request) : matched.hasPreflight
    const headers = { ...failure.headers, ...(isReadable ? corsHeaders : {}) }
    const response = isForProgram(request)
      ? HttpServerResponse.jsonUnsafe(
        failure.status === 405 && matched !== undefined && isForOAuth(request)
          ? { error: "invalid_request", error_description: `this address takes ${matched.methods.join(", ")} alone` }
          : yield* errorEnvelope({
            code: failure.code,
            message: `${inEnglish(failure.what)} ${inEnglish(failure.remedy)}`
          }),
        { status: failure.status, headers: { "cache-control": "no-store" } }
      )
      : yield* complete(failurePage(failure))
    return HttpServerResponse.setHeaders(response, headers)
  })

/** Template of the request's route, for the log: its path may hold a secret in place of an id. */
const route = Effect.withFiberSucceed(({ context }) =>
  Context.getOrUndefined(context, HttpRouter.RouteContext)?.route.path ?? unmatched
)

/** A failure as a page explains it, and as a program reads it. */
interface ReportedFailure extends Failure {
  readonly code: string
  readonly what: Message<PlainValues>
  readonly remedy: Message<PlainValues>
  readonly headers?: Readonly<Record<string, string>>
}

const failureOf = (cause: Cause.Cause<unknown>): ReportedFailure => {
  const error = Option.getOrElse(Cause.findErrorOption(cause), () => Cause.squash(cause))
  if (HttpServerError.isHttpServerError(error)) {
    if (error.reason._tag === "RouteNotFound") return notFound
    if (error.reason._tag === "RequestParseError") {
      return error.reason.reason === "BodyTooLarge" ? tooLarge : malformed
    }
  }
  if (error instanceof TemporarilyUnavailable) return noRoom
  if (error instanceof TooManyAttempts) return tooMany(error)
  const outage = Outages.outageOf(cause)
  return outage === undefined ? broken : outage.isBrief ? databaseSlow : databaseAway
}

const toFrontPage = { href: "/", label: text("failure.frontPage") }

const notFound: ReportedFailure = {
  status: 404,
  code: "not_found",
  title: text("failure.notFound"),
  what: text("failure.notFound.what"),
  remedy: text("failure.notFound.remedy"),
  next: toFrontPage
}
/** RFC 9110 §15.5.6: the answer names the methods that there are. */
const wrongMethod = ({ methods }: MatchedRoute): ReportedFailure => ({
  status: 405,
  code: "method_not_allowed",
  headers: { allow: methods.join(", ") },
  title: text("failure.wrongMethod"),
  what: text("failure.wrongMethod.what", { methods: methods.join(", ") }),
  remedy: text("failure.wrongMethod.remedy"),
  next: toFrontPage
})
const tooLarge: ReportedFailure = {
  status: 413,
  code: "payload_too_large",
  title: text("failure.tooLarge"),
  what: text("failure.tooLarge.what"),
  remedy: text("failure.tooLarge.remedy")
}
const malformed: ReportedFailure = {
  status: 400,
  code: "malformed_request",
  title: text("failure.notUnderstood"),
  what: text("failure.malformed.what"),
  remedy: text("failure.malformed.remedy")
}
const databaseAway: ReportedFailure = {
  ...Unavailable.databaseAway,
  title: text("failure.databaseAway"),
  what: text("failure.databaseAway.what"),
  remedy: text("failure.databaseAway.remedy")
}
const databaseSlow: ReportedFailure = {
  ...Unavailable.busy,
  title: text("failure.tooBusy"),
  what: text("failure.tooBusy.what"),
  remedy: text("failure.tooBusy.remedy")
}
/** A service had no room or no time for the request. It is no news for the log, where overload would be a line each. */
const noRoom: ReportedFailure = { ...databaseSlow }
/** A budget of the account or the address is used up. */
const tooMany = (error: TooManyAttempts): ReportedFailure => ({
  status: 429,
  code: "too_many_requests",
  headers: { "retry-after": retryAfterSeconds(error) },
  title: text("failure.tooMuch"),
  what: text("failure.tooMuch.what"),
  remedy: text("failure.tooMuch.remedy", { minutes: waitMinutes(error) })
})
const broken: ReportedFailure = {
  status: 500,
  code: "internal_error",
  title: text("failure.broken"),
  what: text("failure.broken.what"),
  remedy: text("failure.broken.remedy")
}
