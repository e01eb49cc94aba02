import { Schema } from "effect"
import { errors } from "jose"
import { AuthorizationResponseError, ClientError, ResponseBodyError } from "openid-client"

/** The provider gave no answer that can be used; signing in may work later. */
export class ProviderUnavailable extends Schema.TaggedError<ProviderUnavailable>()("ProviderUnavailable", {
  reason: Schema.String
}) {}

/** The provider let nobody sign in, and says why by an error code (OpenID Connect Core 1.0 §3.1.2.6). */
export class SignInDeclined extends Schema.TaggedError<SignInDeclined>()("SignInDeclined", { error: Schema.String }) {}

/** The answer is not the provider's to this browser's sign-in, or not the provider's at all. */
export class AnswerRefused extends Schema.TaggedError<AnswerRefused>()("AnswerRefused", { reason: Schema.String }) {}

/** A failure of the provider while no answer of a browser is looked at. */
export const unavailable = (failure: unknown): ProviderUnavailable =>
  new ProviderUnavailable({ reason: messagesOf(failure) })

/** A failure to redeem the answer that a browser has brought. */
export const explainAnswer = (failure: unknown): AnswerRefused | ProviderUnavailable | SignInDeclined => {
  if (failure instanceof AuthorizationResponseError) {
    const { error } = failure
    return passing.has(error) ? new ProviderUnavailable({ reason: saying(error) }) : new SignInDeclined({ error })
  }
  if (failure instanceof ResponseBodyError) {
    const reason = saying(failure.error)
    // The code was used, is too old, or is another client's (RFC 6749 §5.2).
    return failure.error === "invalid_grant" ? new AnswerRefused({ reason }) : new ProviderUnavailable({ reason })
  }
  return failure instanceof ClientError && refusals.has(failure.code ?? "")
    ? new AnswerRefused({ reason: messagesOf(failure) })
    : unavailable(failure)
}

/** A failure to verify a token that came unasked. */
export const explainToken = (failure: unknown): AnswerRefused | ProviderUnavailable =>
  failure instanceof errors.JOSEError && !providersFault.has(failure.code)
    ? new AnswerRefused({ reason: failure.message })
    : unavailable(failure)

/** The errors that pass (RFC 6749 §4.1.2.1). */
const passing: ReadonlySet<string> = new Set(["server_error", "temporarily_unavailable"])

const saying = (error: string) => `it answered with the error ${error}`

/** The codes of openid-client for what is wrong with the answer; the others are about the connection. */
const refusals: ReadonlySet<string> = new Set([
  "OAUTH_INVALID_RESPONSE",
  "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED",
  "OAUTH_JWT_CLAIM_COMPARISON_FAILED",
  "OAUTH_JWT_TIMESTAMP_CHECK_FAILED",
  "OAUTH_KEY_SELECTION_FAILED",
  "OAUTH_PARSE_ERROR",
  "OAUTH_UNSUPPORTED_OPERATION"
])

/**
 * The codes of jose for what is wrong with the provider's keys; the others are about the token. An unknown key may be newer
 * than the last look at them, which is not repeated within a second.
 */
const providersFault: ReadonlySet<string> = new Set([
  errors.JOSEError.code,
  errors.JWKSInvalid.code,
  errors.JWKSNoMatchingKey.code,
  errors.JWKSTimeout.code
])

/** The messages for the log. Those of the cause beneath are left out: they may quote what was sent. */
const messagesOf = (failure: unknown): string => {
  if (!(failure instanceof Error)) return "it failed"
  const { cause, message } = failure
  if (cause instanceof Response) return `${message}: ${cause.status}`
  return cause instanceof Error && cause.message !== "" ? `${message}: ${cause.message}` : message
}
