import { Context, Effect, Layer, Option } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { Account } from "../../core/accounts/Account.ts"
import { IdentitySource } from "../../core/accounts/IdentitySource.ts"
import { type Session, Sessions } from "../../core/accounts/Sessions.ts"
import { sameText } from "../../domain/ConstantTime.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { pathOf } from "../../foundation/http/Envelope.ts"
import { failurePage, seeOther, type Viewer } from "../../foundation/web/Layout.ts"
import { readForm } from "../../foundation/web/ReadForm.ts"
import { signInPath } from "./ReturnTo.ts"
import { readCookie } from "./SessionCookie.ts"

// This room knows who sends a request: pages by the session of the browser, the management API by a session or an API key.
// Its own pages are sign-in, set-up and the account. The doors above it use PageSession and pageRoutes for their pages.

/** The signed-in user who looks at a page. */
export interface Visitor {
  readonly account: Account
  readonly session: Session
  /** The user as the header of the page shows them. */
  readonly viewer: Viewer
}

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/**
 * The browser's session, for the page controllers of all doors. It fails with the response to send instead of the page,
 * as handlers of `pageRoutes` may.
 *
 * @effect-expect-leaking HttpServerRequest
 */
export class PageSession extends Context.Service<PageSession, {
  readonly current: Effect.Effect<Option.Option<Visitor>, never, Request>
  /** Redirects to the sign-in page, which leads back. */
  readonly require: Effect.Effect<Visitor, Response, Request>
  readonly requireAdmin: Effect.Effect<Visitor, Response, Request>
  /** The fields of a form that this session's page has sent, as its CSRF token (the field `csrf`) proves. */
  readonly form: Effect.Effect<{ readonly visitor: Visitor; readonly fields: Parameters }, Response, Request>
  readonly adminForm: Effect.Effect<{ readonly visitor: Visitor; readonly fields: Parameters }, Response, Request>
  /** Ends the session if there is one. The cookie is left to the caller. */
  readonly end: Effect.Effect<void, never, Request>
}>()("slotkey/doors/account/PageSession") {
  static readonly layer: Layer.Layer<PageSession, never, AppConfig | Sessions | IdentitySource> = Layer.effect(
    PageSession,
    Effect.gen(function*() {
      const config = yield* AppConfig
      const sessions = yield* Sessions
      const identities = yield* IdentitySource

      const current = Effect.gen(function*() {
        const request = yield* HttpServerRequest.HttpServerRequest
        const token = readCookie(config, request)
        const session = token === undefined ? Option.none<Session>() : yield* sessions.find(token)
        if (Option.isNone(session)) return Option.none<Visitor>()
        const account = yield* identities.find(session.value.userId)
        return Option.map(account, (account) => visitorOf(account, session.value, pathOf(request)))
      }).pipe(Effect.withSpan("PageSession.current"))

      const require = Effect.gen(function*() {
        const visitor = yield* current
        if (Option.isSome(visitor)) return visitor.value
        const { method, url } = yield* HttpServerRequest.HttpServerRequest
        // The browser can repeat a GET after the sign-in, but not a form.
        return yield* Effect.fail(method === "GET" || method === "HEAD" ? seeOther(signInPath(url)) : signedOut)
      })

      const requireAdmin = Effect.flatMap(require, onlyAdmin)

      const form = Effect.gen(function*() {
        const visitor = yield* require
        const fields = yield* readForm
        if (!sameText(fields.get("csrf"), visitor.session.csrf)) return yield* Effect.fail(forged(visitor.viewer))
        return { visitor, fields }
      })

      const adminForm = Effect.tap(form, ({ visitor }) => onlyAdmin(visitor))

      const end = Effect.gen(function*() {
        const token = readCookie(config, yield* HttpServerRequest.HttpServerRequest)
        if (token !== undefined) yield* sessions.end(token)
      })

      return PageSession.of({ current, require, requireAdmin, form, adminForm, end })
    })
  )
}

const visitorOf = (account: Account, session: Session, path: string): Visitor => ({
  account,
  session,
  viewer: { name: account.name, isAdmin: account.isAdmin, csrf: session.csrf, path }
})

const onlyAdmin = (visitor: Visitor) =>
  visitor.account.isAdmin ? Effect.succeed(visitor) : Effect.fail(failurePage({
    status: 403,
    title: "For administrators",
    what: "Only an administrator of this server may see this page.",
    remedy: "If you need it for your work, ask an administrator to give you that role.",
    viewer: visitor.viewer
  }))

/** The answer to a form of a session that has ended. */
export const signedOut = failurePage({
  status: 401,
  title: "Signed out",
  what: "You are not signed in any more, so nothing was changed.",
  remedy: "Sign in again and repeat what you did. If an app has sent you here, go back to it and start again there.",
  next: { href: "/sign-in", label: "Sign in" }
})

const forged = (viewer: Viewer) =>
  failurePage({
    status: 403,
    title: "Not accepted",
    what: "The form does not carry the mark of your session, so nothing was changed.",
    remedy:
      "The page was loaded before you signed in, or another site sent the form. Go back, load it anew and try again.",
    viewer
  })
