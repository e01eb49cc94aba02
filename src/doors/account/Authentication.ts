import { Effect, Layer, Option } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Account } from "../../core/accounts/Account.ts"
import { ApiKeys } from "../../core/accounts/ApiKeys.ts"
import { IdentitySource } from "../../core/accounts/IdentitySource.ts"
import { Sessions } from "../../core/accounts/Sessions.ts"
import { Forbidden, Unauthorized } from "../../domain/ApiError.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { sameText } from "../../foundation/http/SameOrigin.ts"
import { Authenticated, CurrentUser, RequireAdmin } from "../contract/CurrentUser.ts"
import { readCookie } from "./SessionCookie.ts"

/** Authenticates the callers of the management API. */
export const authenticatedLayer = Layer.effect(
  Authenticated,
  Effect.suspend(() => Effect.map(guard(() => true), (guard) => Authenticated.of(guard)))
)

/** Authenticates administrators in the same ways. */
export const requireAdminLayer = Layer.effect(
  RequireAdmin,
  Effect.suspend(() => Effect.map(guard((account) => account.isAdmin), (guard) => RequireAdmin.of(guard)))
)

const guard = (admits: (account: Account) => boolean) =>
  Effect.gen(function*() {
    const config = yield* AppConfig
    const apiKeys = yield* ApiKeys
    const sessions = yield* Sessions
    const identities = yield* IdentitySource

    const byKey = Effect.fnUntraced(function*(authorization: string) {
      const key = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
      const userId = key === undefined ? Option.none() : yield* apiKeys.verify(key)
      return Option.isSome(userId) ? userId.value : yield* notAKey
    })

    const bySession = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
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
      // Who shows a key is judged by the key alone.
      const userId = yield* authorization === undefined ? bySession(request) : byKey(authorization)
      const account = yield* identities.find(userId)
      if (Option.isNone(account)) return yield* unknownAccount
      if (!admits(account.value)) return yield* adminsOnly
      const via = authorization === undefined ? "session" : "api-key"
      return yield* Effect.provideService(handler, CurrentUser, { account: account.value, via })
    })

    // After a refusal by one scheme the next is tried and has the last word, so each says the same.
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
