import { Effect, Layer, Option } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { isAdmin, mayReview, type Role } from "../../core/accounts/people/Account.ts"
import { type ApiKeyExpired, ApiKeys } from "../../core/accounts/people/ApiKeys.ts"
import { ClaimedRoles } from "../../core/accounts/people/ClaimedRoles.ts"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { CallerAddress } from "../../core/limits/CallerAddress.ts"
import { Forbidden, Unauthorized } from "../../domain/ApiError.ts"
import * as Bearer from "../../domain/Bearer.ts"
import { sameText } from "../../domain/ConstantTime.ts"
import { instantText } from "../../domain/InstantText.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { clientAddress } from "../../foundation/http/ClientAddress.ts"
import { Authenticated, CurrentUser, RequireAdmin, RequireReviewer } from "../contract/CurrentUser.ts"
import { browserSession } from "./BrowserSession.ts"

/** Admits any signed-in user, or any API key, to the management API. */
export const authenticatedLayer = Layer.effect(
  Authenticated,
  Effect.suspend(() => Effect.map(authenticate(() => true, adminsOnly), Authenticated.of))
)

/** Admits reviewers and administrators. */
export const requireReviewerLayer = Layer.effect(
  RequireReviewer,
  Effect.suspend(() => Effect.map(authenticate(mayReview, reviewersOnly), RequireReviewer.of))
)

export const requireAdminLayer = Layer.effect(
  RequireAdmin,
  Effect.suspend(() => Effect.map(authenticate(isAdmin, adminsOnly), RequireAdmin.of))
)

const authenticate = (isEnough: (role: Role) => boolean, refusal: Effect.Effect<never, Forbidden>) =>
  Effect.gen(function*() {
    const config = yield* AppConfig
    const apiKeys = yield* ApiKeys
    const claimedRoles = yield* ClaimedRoles
    const findSession = yield* browserSession
    const identities = yield* IdentitySource

    const userOfKey = Effect.fnUntraced(function*(authorization: string) {
      const credentials = Bearer.parse(authorization)
      const userId = credentials._tag === "Token"
        ? yield* Effect.catchTag(apiKeys.verify(credentials.token), "ApiKeyExpired", keyExpired)
        : Option.none()
      return Option.isSome(userId) ? { userId: userId.value, isRecent: true } : yield* notAKey
    })

    const userOfSession = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
      const session = yield* findSession(request)
      if (Option.isNone(session)) return yield* notSignedIn
      const { csrf, isRecent, userId } = session.value
      return safeMethods.has(request.method) || sameText(request.headers["x-csrf-token"], csrf)
        ? { userId, isRecent }
        : yield* csrfMissing
    })

    const admit = Effect.fnUntraced(function*<E>(
      handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, CurrentUser>
    ) {
      const request = yield* HttpServerRequest.HttpServerRequest
      const authorization = request.headers["authorization"]
      yield* withHeaders(Bearer.parse(authorization)._tag === "None" ? "" : ", error=\"invalid_token\"")
      // With a key, the session does not count.
      const { isRecent, userId } = yield* authorization === undefined
        ? userOfSession(request)
        : userOfKey(authorization)
      const found = yield* identities.find(userId)
      const account = yield* Option.isNone(found) ? unknownAccount : Effect.succeed(found.value)
      if (!isEnough(account.role)) {
        const claimed = yield* claimedRoles.find(account.id)
        return yield* Option.exists(claimed, ({ hasLapsed, role }) => hasLapsed && isEnough(role))
          ? roleLapsed
          : refusal
      }
      const via = authorization === undefined ? "session" : "api-key"
      return yield* handler.pipe(
        Effect.provideService(CurrentUser, { account, via, isRecent }),
        Effect.provideService(CallerAddress, clientAddress(config, request))
      )
    })

    // One handler for both schemes: if the first refuses, the framework tries the second, whose answer counts.
    return { apiKey: admit, session: admit }
  })

// Answers are for the caller alone, and some contain a secret. Every 401 names a scheme that would be accepted (RFC
// 9110 §11.6.1), and says of a key that came that it cannot be used (RFC 6750 §3.1).
const withHeaders = (error: string) =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, {
      "cache-control": "no-store",
      ...(response.status === 401 ? { "www-authenticate": `Bearer realm="Slotkey API keys"${error}` } : {})
    }))
  )

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"])

const notSignedIn = Effect.fail(
  new Unauthorized({ code: "not_signed_in", message: "Sign in, or send an API key as a bearer credential." })
)
const notAKey = Effect.fail(
  new Unauthorized({
    code: "invalid_api_key",
    message: "This is not an API key that can be used. Access tokens do not open the management API."
  })
)
const inUtc = { timeZone: "UTC", timeFormat: 24 } as const
const keyExpired = ({ expiresAt }: ApiKeyExpired) =>
  Effect.fail(
    new Unauthorized({
      code: "api_key_expired",
      message: `This API key ended on ${instantText(expiresAt, inUtc)}. Make another one on the account page.`
    })
  )
const unknownAccount = Effect.fail(
  new Unauthorized({ code: "account_unavailable", message: "The account of this credential can no longer be used." })
)
const reviewersOnly = Effect.fail(
  new Forbidden({ code: "reviewers_only", message: "Only a reviewer or an administrator may do this." })
)
const adminsOnly = Effect.fail(
  new Forbidden({ code: "administrators_only", message: "Only an administrator may do this." })
)
const roleLapsed = Effect.fail(
  new Forbidden({
    code: "role_lapsed",
    message:
      "The identity provider gave this account its role, which counts for a while after each sign-in: sign in again. For a script, take an account whose role was set here."
  })
)
const csrfMissing = Effect.fail(
  new Forbidden({
    code: "csrf_token_required",
    message: "A request with the session cookie that changes something needs the session's CSRF token in X-CSRF-Token."
  })
)
