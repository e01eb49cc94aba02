import { Schema } from "effect"
import { errors } from "jose"
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError
} from "openid-client"

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

/**
 * Why the provider's UserInfo cannot be had, if it will be the same in a moment; and none if it is about somebody else.
 * The ID token says who signs in without it.
 */
export const refusedUserInfo = (failure: unknown): string | undefined => {
  if (failure instanceof WWWAuthenticateChallengeError) return `it answers ${failure.status}`
  if (!(failure instanceof ClientError)) return undefined
  const { cause, code } = failure
  if (cause instanceof Response) return isRefusal(cause.status) ? `it answers ${cause.status}` : undefined
  // A signature that neither side has announced has no code.
  const isUnannounced = code === undefined && cause instanceof Error && cause.name === "OperationProcessingError"
  return isUnannounced || lasting.has(code ?? "") ? messagesOf(failure) : undefined
}

const isRefusal = (status: number) => status >= 400 && status < 500 && status !== 429

/** A failure to verify a token that came without being asked for. */
export const explainToken = (failure: unknown): AnswerRefused | ProviderUnavailable => {
  if (!(failure instanceof errors.JOSEError) || providersFault.has(failure.code)) return unavailable(failure)
  const hasNoEnd = failure instanceof errors.JWTClaimValidationFailed && failure.claim === "exp" &&
    failure.reason === "missing"
  return new AnswerRefused({ reason: hasNoEnd ? withoutEnd : failure.message })
}

/** Reason against a logout token of the provider that OpenID Connect Back-Channel Logout 1.0 §2.4 does not allow. */
export const withoutEnd = "the provider sends logout tokens without `exp`, and they end no session"

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
 * Those for what is wrong with UserInfo as long as nobody changes a setting, such as a signature that is not expected.
 */
const lasting: ReadonlySet<string> = new Set([
  "OAUTH_DECRYPTION_FAILED",
  "OAUTH_INVALID_RESPONSE",
  "OAUTH_JWT_CLAIM_COMPARISON_FAILED",
  "OAUTH_JWT_TIMESTAMP_CHECK_FAILED",
  "OAUTH_KEY_SELECTION_FAILED",
  "OAUTH_UNSUPPORTED_OPERATION"
])

/**
 * The codes of jose for what is wrong with the provider's keys; the others are about the token. An unknown key may be
 * newer than the last look at them, which is not repeated within a second.
 */
const providersFault: ReadonlySet<string> = new Set([
  errors.JOSEError.code,
  errors.JWKSInvalid.code,
  errors.JWKSNoMatchingKey.code,
  errors.JWKSTimeout.code
])

/** Messages for the log. Those of the cause beneath are left out: they may quote what was sent. */
const messagesOf = (failure: unknown): string => {
  if (!(failure instanceof Error)) return "it failed"
  const { cause, message } = failure
  if (cause instanceof Response) return `${message}: ${cause.status}`
  return cause instanceof Error && cause.message !== "" ? `${message}: ${cause.message}` : message
}
