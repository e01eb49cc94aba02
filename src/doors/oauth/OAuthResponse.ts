import { Cause, Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { type MetadataError, TemporarilyUnavailable, type TokenError } from "../../domain/OAuthError.ts"
import { retryAfterSeconds, type TooManyAttempts } from "../../domain/TooManyAttempts.ts"
import * as Outages from "../../foundation/database/Outages.ts"
import { corsHeaders } from "../../foundation/http/Cors.ts"
import * as Unavailable from "../../foundation/http/Unavailable.ts"
import { resourceServerBearer } from "./clientAuthentication/ResourceServerBearer.ts"
import { clientAuthenticationMethods } from "./ClientAuthenticationMethods.ts"
import type { Unreadable } from "./OAuthRequest.ts"

/**
 * A successful response, which no cache keeps (RFC 6749 §5.1) and every origin may read: it does not depend on cookies.
 */
export const successResponse = (body: unknown) => HttpServerResponse.jsonUnsafe(body, { headers: commonHeaders })

type Failure = MetadataError | TokenError | TooManyAttempts | Unreadable

/** Answers every failure. A fault of the server is 503, never an error on which a client gives its tokens up. */
export const respond = <R>(
  effect: Effect.Effect<HttpServerResponse.HttpServerResponse, Failure, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catchCause(effect, (cause) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause as Cause.Cause<never>)
    const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
    return failure !== undefined
      ? Effect.succeed(failureResponse(failure))
      : Effect.as(Outages.logFailure("A token request failed", cause), defectResponse(Outages.outageOf(cause)))
  })

const defectResponse = (outage: Outages.DatabaseOutage | undefined): HttpServerResponse.HttpServerResponse => {
  const { headers, status } = outage === undefined ? Unavailable.busy : Unavailable.during(outage)
  return errorResponse(unavailable, status, headers)
}

const failureResponse = (failure: Failure): HttpServerResponse.HttpServerResponse => {
  switch (failure._tag) {
    case "Unreadable":
      return errorResponse(failure.error, failure.status, failure.headers)
    case "TooManyAttempts":
      return errorResponse(tooManyAttempts, 429, { "retry-after": retryAfterSeconds(failure) })
    case "InvalidClient":
      return errorResponse(failure, 401, challenge(clientChallenges))
    case "InvalidBearer":
      return errorResponse(
        failure,
        401,
        challenge(`${resourceServerBearer.challenge} error="${failure.error}", ${clientChallenges}`)
      )
    case "TemporarilyUnavailable":
      return errorResponse(failure, Unavailable.busy.status, Unavailable.busy.headers)
    default:
      return errorResponse(failure, 400)
  }
}

/** An error response (RFC 6749 §5.2). */
export const errorResponse = (
  { error, error_description }: { readonly error: string; readonly error_description: string },
  status: number,
  headers: Record<string, string> = {}
) =>
  HttpServerResponse.jsonUnsafe({ error, error_description }, {
    status,
    headers: [...commonHeaders, ...Object.entries(headers)]
  })

// A list of pairs is quicker to read than an object: it need not be taken apart for each response.
export const commonHeaders = Object.entries({ ...corsHeaders, "cache-control": "no-store", "pragma": "no-cache" })

// Every 401 names a scheme that would be accepted (RFC 9110 §11.6.1, RFC 6749 §5.2).
const challenge = (challenges: string) => ({ "www-authenticate": challenges })
const clientChallenges = clientAuthenticationMethods.flatMap((method) =>
  method.in === "header" ? [method.challenge] : []
).join(", ")

const tooManyAttempts = new TemporarilyUnavailable({
  error_description: "too many wrong client secrets or unknown refresh tokens were sent, try again later"
})
const unavailable = new TemporarilyUnavailable({ error_description: "the server cannot answer just now, try again" })
