import { Cause, Context, Effect, Layer, Option } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { LocalUsers } from "../../core/accounts/LocalUsers.ts"
import { type Account, isAdmin, mayReview, type Role } from "../../core/accounts/people/Account.ts"
import { ClaimedRoles } from "../../core/accounts/people/ClaimedRoles.ts"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { pageNotices } from "../../core/accounts/people/PageNotices.ts"
import { type Session, Sessions } from "../../core/accounts/people/Sessions.ts"
import { sameText } from "../../domain/ConstantTime.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Outages from "../../foundation/database/Outages.ts"
import { pathOf } from "../../foundation/http/Envelope.ts"
import { pageField } from "../../foundation/web/FormFields.ts"
import type { Phrase } from "../../foundation/web/Html.ts"
import { failurePage, seeOther, type Viewer } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { noteReader, uiLocalesIn } from "../../foundation/web/ReaderWishes.ts"
import { readForm } from "../../foundation/web/ReadForm.ts"
import { browserSession } from "./BrowserSession.ts"
import { comingBack } from "./ComingBack.ts"
import { type Notice, shown, toKeep } from "./Notice.ts"
import { continueRecentPath, ownPath, signInAgainPath } from "./ReturnTo.ts"
import { readCookie } from "./SessionCookie.ts"

// This room knows who sends a request: pages by the session of the browser, the management API by a session or an API
// key. Its own pages are those of signing in and out. The doors above it make their pages with pageController, which
// gives them PageSession.

/** Signed-in user who looks at a page. */
export interface Visitor {
  readonly account: Account
  readonly session: Session
  /** User as the header of the page shows them. */
  readonly viewer: Viewer
  /** Outcome of the act that led to this page. It is shown once: the request that has it is the only one. */
  readonly notice: Phrase | undefined
}

/** A form that a page of the user's session has sent. */
export interface SentForm {
  readonly visitor: Visitor
  readonly fields: Parameters
}

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/**
 * Browser's session, for the page controllers of all doors. It fails with the response to send instead of the page, as
 * handlers of pages may.
 *
 * @effect-expect-leaking HttpServerRequest
 */
export class PageSession extends Context.Service<PageSession, {
  readonly current: Effect.Effect<Option.Option<Visitor>, never, Request>
  /** Redirects to the sign-in page, which leads back. */
  readonly require: Effect.Effect<Visitor, Response, Request>
  /** Sends a user whose role by a claim has lapsed to sign in again, as the forms for a role do. */
  readonly requireReviewer: Effect.Effect<Visitor, Response, Request>
  readonly requireAdmin: Effect.Effect<Visitor, Response, Request>
  /**
   * Fields of a form that this session's page has sent, as its CSRF token (the field `csrf`) proves. A form of a
   * session that has ended is kept, and its page gets it as `viewer.restored` when its user has signed in again; it is
   * never sent by itself.
   */
  readonly form: Effect.Effect<SentForm, Response, Request>
  readonly reviewerForm: Effect.Effect<SentForm, Response, Request>
  /**
   * Same of a user who has signed in lately (`RECENT_SIGN_IN`), for acts that give out a credential, change what
   * somebody may do, or cannot be undone (docs/decisions/sessions.md). Others sign in again first, and come back to the
   * form.
   */
  readonly recentForm: Effect.Effect<SentForm, Response, Request>
  readonly recentAdminForm: Effect.Effect<SentForm, Response, Request>
  readonly adminForm: Effect.Effect<SentForm, Response, Request>
  /** Redirect to the sign-in page, which leads back to `path`. A long path waits under an id. */
  signIn(path: string): Effect.Effect<Response>
  /** Same for a user who wants to go on with another account. */
  signInAsAnother(path: string): Effect.Effect<Response>
  /** Answers an act with the page at this address (303), which will say once what was done. */
  redirect(visitor: Visitor, location: string, notice: Notice): Effect.Effect<Response>
  /** Ends the session if there is one. The cookie is left to the caller. */
  readonly end: Effect.Effect<void, never, Request>
}>()("slotkey/doors/session/PageSession") {
  static readonly layer = Layer.effect(
    PageSession,
    Effect.gen(function*() {
      const config = yield* AppConfig
      const notices = yield* pageNotices
      const sessions = yield* Sessions
      const identities = yield* IdentitySource
      const findSession = yield* browserSession
      const claimedRoles = yield* ClaimedRoles
      const { answer, forget, keepForm, markOf, renewRole, restored, signIn, signInAsAnother } = yield* comingBack
      // A platform keeps the preferences of its users itself.
      const isLocal = Option.isSome(yield* LocalUsers)

      // A page is shown without its notice while the database accepts no writes.
      const take = (session: Session, path: string) =>
        Effect.catchCause(
          Effect.map(notices.take(session, path), (notice) => Option.getOrUndefined(Option.map(notice, shown))),
          (cause) =>
            Cause.hasInterruptsOnly(cause)
              ? Effect.interrupt
              : Effect.as(Outages.logFailure("A notice was not taken", cause), undefined)
        )

      const current = Effect.gen(function*() {
        const request = yield* HttpServerRequest.HttpServerRequest
        const session = yield* findSession(request)
        if (Option.isNone(session)) return Option.none<Visitor>()
        const account = yield* identities.find(session.value.userId)
        if (Option.isNone(account)) return Option.none<Visitor>()
        yield* noteReader({ locale: account.value.locale })
        const path = pathOf(request)
        const isGet = request.method === "GET"
        const page = ownPath(request.url)
        return Option.some({
          account: account.value,
          session: session.value,
          notice: isGet ? yield* take(session.value, path) : undefined,
          viewer: {
            name: account.value.name,
            mayReview: account.value.mayReview,
            isAdmin: account.value.isAdmin,
            managesUsers: isLocal && account.value.isAdmin,
            csrf: session.value.csrf,
            mark: markOf(account.value.id),
            page,
            path,
            restored: isGet ? yield* restored(account.value.id, page) : undefined,
            // The answer to a form cannot be got again.
            timeZone: isLocal && isGet ? account.value.timeZone : undefined
          }
        })
      }).pipe(Effect.withSpan("PageSession.current"))

      const require = Effect.gen(function*() {
        const visitor = yield* current
        if (Option.isSome(visitor)) return visitor.value
        const { method, url } = yield* HttpServerRequest.HttpServerRequest
        return yield* Effect.fail(method === "GET" || method === "HEAD" ? yield* signIn(url) : signedOut)
      })

      /**
       * Refuses who has no such role; a user whose role by a claim has lapsed goes to sign in again, and to `path`
       * then.
       */
      const only = Effect.fnUntraced(function*<R>(
        { isEnough, refusal }: ForRole,
        { account, viewer }: Visitor,
        path: Effect.Effect<string, never, R>
      ) {
        if (isEnough(account.role)) return
        const claimed = yield* claimedRoles.find(account.id)
        const hasLapsed = Option.exists(claimed, ({ hasLapsed, role }) => hasLapsed && isEnough(role))
        return yield* Effect.fail(hasLapsed ? yield* renewRole(yield* path) : refusal(viewer))
      })
      const requireRole = (role: ForRole) =>
        Effect.tap(
          require,
          (visitor) => only(role, visitor, Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => url))
        )
      const requireReviewer = requireRole(forReviewers)
      const requireAdmin = requireRole(forAdministrators)

      const form = Effect.gen(function*() {
        const found = yield* current
        const fields = yield* readForm
        if (Option.isNone(found) || !sameText(fields.get("csrf"), found.value.session.csrf)) {
          return yield* Effect.fail(
            Option.getOrElse(yield* answer(found, fields), () =>
              Option.match(found, {
                onNone: () => signedOut,
                onSome: ({ viewer }) => forged(viewer)
              }))
          )
        }
        const { account, viewer } = found.value
        const page = ownPath(fields.get(pageField))
        yield* noteReader({ uiLocales: uiLocalesIn(page) })
        yield* forget(account.id, page)
        return { visitor: { ...found.value, viewer: { ...viewer, page } }, fields }
      })

      const onlyRecent = Effect.fnUntraced(function*({ fields, visitor: { account, session } }: SentForm) {
        if (session.isRecent) return
        return yield* Effect.fail(seeOther(signInAgainPath(continueRecentPath(yield* keepForm(account.id, fields)))))
      })

      const formForRole = (role: ForRole) =>
        Effect.tap(form, ({ fields, visitor }) => only(role, visitor, keepForm(visitor.account.id, fields)))
      const reviewerForm = formForRole(forReviewers)
      const adminForm = formForRole(forAdministrators)
      const recentForm = Effect.tap(form, onlyRecent)
      const recentAdminForm = Effect.tap(adminForm, onlyRecent)

      const redirect = (visitor: Visitor, location: string, notice: Notice) =>
        notices.leave(visitor.session, { path: pathOf({ url: location }), ...toKeep(notice) }).pipe(
          Outages.bestEffort("A notice was not kept"),
          Effect.as(seeOther(location))
        )

      const end = Effect.gen(function*() {
        const token = readCookie(config, yield* HttpServerRequest.HttpServerRequest)
        if (token !== undefined) yield* sessions.end(token)
      })

      return PageSession.of({
        current,
        require,
        requireReviewer,
        requireAdmin,
        form,
        reviewerForm,
        adminForm,
        recentForm,
        recentAdminForm,
        signIn,
        signInAsAnother,
        redirect,
        end
      })
    })
  )
}

/** Roles that some pages ask for. */
interface ForRole {
  readonly isEnough: (role: Role) => boolean
  readonly refusal: (viewer: Viewer) => Response
}

const forRole = (title: Phrase, what: Phrase) => (viewer: Viewer) =>
  failurePage({
    status: 403,
    title,
    what,
    remedy: text("failure.role.remedy"),
    viewer
  })

const forReviewers: ForRole = {
  isEnough: mayReview,
  refusal: forRole(text("failure.forReviewers"), text("failure.forReviewers.what"))
}

const forAdministrators: ForRole = {
  isEnough: isAdmin,
  refusal: forRole(text("failure.forAdministrators"), text("failure.forAdministrators.what"))
}

/**
 * Answer to a form of a session that has ended, of which nobody knows whose it was. It is not 401, which has to name a
 * scheme of HTTP authentication (RFC 9110 §15.5.2): people sign in on a page.
 */
export const signedOut = failurePage({
  status: 403,
  title: text("failure.signedOut"),
  what: text("failure.signedOut.what"),
  remedy: text("failure.signedOut.remedy"),
  next: { href: "/sign-in", label: text("signIn") }
})

const forged = (viewer: Viewer) =>
  failurePage({
    status: 403,
    title: text("failure.notAccepted"),
    what: text("failure.forged.what"),
    remedy: text("failure.forged.remedy"),
    viewer
  })
