import { Cause, Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { InvalidRequest, TemporarilyUnavailable, type TokenError } from "../../domain/OAuthError.ts"
import { retryAfterSeconds, type TooManyAttempts } from "../../domain/TooManyAttempts.ts"
import { corsHeaders } from "../../foundation/http/Cors.ts"
import type { Unreadable } from "./OAuthRequest.ts"

/** An answer that no cache keeps (RFC 6749 §5.1) and every origin may read: it carries no ambient authority. */
export const answer = (body: unknown) => HttpServerResponse.jsonUnsafe(body, { headers: fixed })

type Refusal = TokenError | TooManyAttempts | Unreadable

/** A refusal in the shape of RFC 6749 §5.2. */
export const refuse = (failure: Refusal): HttpServerResponse.HttpServerResponse => {
  if (failure._tag === "Unreadable") return refusal(failure.error, failure.status)
  if (failure._tag === "TooManyAttempts") {
    return refusal(tooManyAttempts, 429, { "retry-after": retryAfterSeconds(failure) })
  }
  if (failure._tag === "InvalidClient") return refusal(failure, 401, challenge(basic))
  if (failure._tag === "InvalidBearer") {
    return refusal(failure, 401, challenge(`Bearer error="${failure.error}", ${basic}`))
  }
  return failure._tag === "TemporarilyUnavailable"
    ? refusal(failure, 503, { "retry-after": "1" })
    : refusal(failure, 400)
}

/** Every failure is an answer: what is our fault is 503, never an error on which a client gives its tokens up. */
export const answered = <R>(
  effect: Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catchCause(effect, (cause) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause as Cause.Cause<never>)
    const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
    return failure !== undefined
      ? Effect.succeed(refuse(failure))
      : Effect.as(Effect.logError("A token request failed", cause), refuse(unavailable))
  })

// As a list, which is read without being taken apart for each answer.
const fixed = Object.entries({ ...corsHeaders, "cache-control": "no-store", "pragma": "no-cache" })

// Every 401 names a scheme that would be accepted (RFC 9110 §11.6.1, RFC 6749 §5.2).
const challenge = (schemes: string) => ({ "www-authenticate": schemes })
const basic = "Basic realm=\"slotkey\", charset=\"UTF-8\""

const tooManyAttempts = new TemporarilyUnavailable({
  error_description: "too many wrong client secrets came from this address, try again later"
})
const unavailable = new TemporarilyUnavailable({ error_description: "the server cannot answer just now, try again" })

const refusal = (
  { error, error_description }: TokenError,
  status: number,
  headers: Record<string, string> = {}
) =>
  HttpServerResponse.jsonUnsafe({ error, error_description }, {
    status,
    headers: [...fixed, ...Object.entries(headers)]
  })

/** The answer to another method (RFC 6749 §3.2, RFC 9110 §15.5.6). */
export const postOnly = refusal(new InvalidRequest({ error_description: "send the parameters by POST" }), 405, {
  allow: "POST"
})
