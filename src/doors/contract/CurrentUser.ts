import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import type { Account } from "../../core/accounts/people/Account.ts"
import { failures, refusals } from "../../foundation/http/Envelope.ts"

/** Account that calls the management API, and how it was authenticated. */
export class CurrentUser extends Context.Service<CurrentUser, {
  readonly account: Account
  readonly via: "session" | "api-key"
  /**
   * False for a session whose user signed in longer ago than `RECENT_SIGN_IN`; a key was made after a recent sign-in.
   */
  readonly isRecent: boolean
}>()("slotkey/doors/contract/CurrentUser") {}

const contract = {
  error: [refusals.unauthorized, refusals.forbidden, ...failures],
  security: {
    apiKey: HttpApiSecurity.bearer,
    session: HttpApiSecurity.apiKey({ in: "cookie", key: "__Host-slotkey" })
  }
} as const

/**
 * Requires an account, authenticated by an API key or by a session; a session needs its CSRF token in `X-CSRF-Token`
 * for requests that change something. An OAuth access token is never accepted.
 *
 * @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext
 */
export class Authenticated extends HttpApiMiddleware.Service<Authenticated, { provides: CurrentUser }>()(
  "slotkey/doors/contract/CurrentUser/Authenticated",
  contract
) {}

/**
 * Requires the account of a reviewer or an administrator, authenticated in the same ways.
 *
 * @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext
 */
export class RequireReviewer extends HttpApiMiddleware.Service<RequireReviewer, { provides: CurrentUser }>()(
  "slotkey/doors/contract/CurrentUser/RequireReviewer",
  contract
) {}

/**
 * Requires the account of an administrator, authenticated in the same ways.
 *
 * @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext
 */
export class RequireAdmin extends HttpApiMiddleware.Service<RequireAdmin, { provides: CurrentUser }>()(
  "slotkey/doors/contract/CurrentUser/RequireAdmin",
  contract
) {}
