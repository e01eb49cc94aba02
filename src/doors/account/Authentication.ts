import { Effect, Layer, Option } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Account } from "../../core/accounts/Account.ts"
import { ApiKeys } from "../../core/accounts/ApiKeys.ts"
import { IdentitySource } from "../../core/accounts/IdentitySource.ts"
import { Sessions } from "../../core/accounts/Sessions.ts"
import { CallerAddress } from "../../core/limits/CallerAddress.ts"
import { Forbidden, Unauthorized } from "../../domain/ApiError.ts"
import * as Bearer from "../../domain/Bearer.ts"
import { sameText } from "../../domain/ConstantTime.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { clientAddress } from "../../foundation/http/ClientAddress.ts"
import { Authenticated, CurrentUser, RequireAdmin } from "../contract/CurrentUser.ts"
import { readCookie } from "./SessionCookie.ts"

/** Admits any signed-in user, or any API key, to the management API. */
export const authenticatedLayer = Layer.effect(
  Authenticated,
  Effect.suspend(() => Effect.map(authenticate(() => true), Authenticated.of))
)

/** Admits administrators only. */
export const requireAdminLayer = Layer.effect(
  RequireAdmin,
  Effect.suspend(() => Effect.map(authenticate((account) => account.isAdmin), RequireAdmin.of))
)

const authenticate = (mayCall: (account: Account) => boolean) =>
  Effect.gen(function*() {
    const config = yield* AppConfig
    const apiKeys = yield* ApiKeys
    const sessions = yield* Sessions
    const identities = yield* IdentitySource

    const userOfKey = Effect.fnUntraced(function*(authorization: string) {
      const credentials = Bearer.parse(authorization)
      const userId = credentials._tag === "Token" ? yield* apiKeys.verify(credentials.token) : Option.none()
      return Option.isSome(userId) ? userId.value : yield* notAKey
    })

    const userOfSession = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
      const token = readCookie(config, request)
      const session = token === undefined ? Option.none() : yield* sessions.find(token)
      if (Option.isNone(session)) return yield* notSignedIn
      const { csrf, userId } = session.value
      return safeMethods.has(request.method) || sameText(request.headers["x-csrf-token"], csrf)
        ? userId
        : yield* csrfMissing
    })

    const admit = Effect.fnUntraced(function*<E>(
      handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, CurrentUser>
    ) {
      yield* challenge
      const request = yield* HttpServerRequest.HttpServerRequest
      const authorization = request.headers["authorization"]
      // With a key, the session does not count.
      const userId = yield* authorization === undefined ? userOfSession(request) : userOfKey(authorization)
      const account = yield* identities.find(userId)
      if (Option.isNone(account)) return yield* unknownAccount
      if (!mayCall(account.value)) return yield* adminsOnly
      const via = authorization === undefined ? "session" : "api-key"
      return yield* handler.pipe(
        Effect.provideService(CurrentUser, { account: account.value, via }),
        Effect.provideService(CallerAddress, clientAddress(config, request))
      )
    })

    // One handler for both schemes: if the first refuses, the framework tries the second, whose answer counts.
    return { apiKey: admit, session: admit }
  })

// Every 401 names a scheme that would be accepted (RFC 9110 §11.6.1).
const challenge = HttpEffect.appendPreResponseHandler((_, response) =>
  Effect.succeed(
    response.status === 401
      ? HttpServerResponse.setHeader(response, "www-authenticate", "Bearer realm=\"Slotkey API keys\"")
      : response
  )
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
const unknownAccount = Effect.fail(
  new Unauthorized({ code: "account_unavailable", message: "The account of this credential can no longer be used." })
)
const adminsOnly = Effect.fail(
  new Forbidden({ code: "administrators_only", message: "Only an administrator may do this." })
)
const csrfMissing = Effect.fail(
  new Forbidden({
    code: "csrf_token_required",
    message: "A request with the session cookie that changes something needs the session's CSRF token in X-CSRF-Token."
  })
)
