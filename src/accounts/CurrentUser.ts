import { Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { AppConfig } from "../AppConfig.ts"
import { Forbidden, Unauthorized } from "../domain/ApiError.ts"
import type { UserId } from "../domain/Ids.ts"
import { refusals } from "../http/Envelope.ts"
import type { Account } from "./Account.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { sameText } from "./Csrf.ts"
import { IdentitySource } from "./IdentitySource.ts"
import { readCookie } from "./SessionCookie.ts"
import { Sessions } from "./Sessions.ts"

/** Who calls the management API, and how they showed it. */
export class CurrentUser extends Context.Service<CurrentUser, {
  readonly account: Account
  readonly via: "session" | "api-key"
}>()("slotkey/accounts/CurrentUser") {}

const contract = {
  error: [refusals.unauthorized, refusals.forbidden],
  security: {
    apiKey: HttpApiSecurity.bearer,
    session: HttpApiSecurity.apiKey({ in: "cookie", key: "__Host-slotkey" })
  }
} as const

/**
 * Lets an account through that shows an API key, or a session and (for what changes something) the CSRF token in
 * `X-CSRF-Token`. An OAuth token never opens the management API.
 *
 * @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext
 */
export class Authenticated extends HttpApiMiddleware.Service<Authenticated, { provides: CurrentUser }>()(
  "slotkey/accounts/CurrentUser/Authenticated",
  contract
) {
  static readonly layer = Layer.effect(
    Authenticated,
    Effect.suspend(() => Effect.map(guard(() => true), (guard) => Authenticated.of(guard)))
  )
}

/**
 * Lets an administrator through, in the same ways.
 *
 * @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext
 */
export class RequireAdmin extends HttpApiMiddleware.Service<RequireAdmin, { provides: CurrentUser }>()(
  "slotkey/accounts/CurrentUser/RequireAdmin",
  contract
) {
  static readonly layer = Layer.effect(
    RequireAdmin,
    Effect.suspend(() => Effect.map(guard((account) => account.isAdmin), (guard) => RequireAdmin.of(guard)))
  )
}

const guard = (admits: (account: Account) => boolean) =>
  Effect.gen(function*() {
    const config = yield* AppConfig
    const apiKeys = yield* ApiKeys
    const sessions = yield* Sessions
    const identities = yield* IdentitySource

    const admit = Effect.fnUntraced(function*<E>(
      handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, CurrentUser>,
      userId: UserId,
      via: CurrentUser["Service"]["via"]
    ) {
      const account = yield* identities.find(userId)
      if (Option.isNone(account)) return yield* unknownAccount
      if (!admits(account.value)) return yield* adminsOnly
      return yield* Effect.provideService(handler, CurrentUser, { account: account.value, via })
    })

    const apiKey = Effect.fnUntraced(function*<E>(
      handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, CurrentUser>,
      { credential }: { readonly credential: Redacted.Redacted }
    ) {
      const userId = yield* apiKeys.verify(Redacted.value(credential))
      if (Option.isNone(userId)) return yield* notAKey
      return yield* admit(handler, userId.value, "api-key")
    })

    const session = Effect.fnUntraced(function*<E>(
      handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, CurrentUser>
    ) {
      const request = yield* HttpServerRequest.HttpServerRequest
      // Who shows a key is judged by the key alone.
      if (request.headers["authorization"] !== undefined) return yield* notAKey
      const token = readCookie(config, request)
      const found = token === undefined ? Option.none() : yield* sessions.find(token)
      if (Option.isNone(found)) return yield* notSignedIn
      if (!safeMethods.has(request.method) && !sameText(request.headers["x-csrf-token"], found.value.csrf)) {
        return yield* csrfMissing
      }
      return yield* admit(handler, found.value.userId, "session")
    })

    return { apiKey, session }
  })

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
  new Unauthorized({ code: "account_unavailable", message: "The account of this credential can not be used any more." })
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
