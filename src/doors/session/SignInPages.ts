import { Effect, Option, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { LocalUsers } from "../../core/accounts/LocalUsers.ts"
import { type Continuation, Continuations } from "../../core/accounts/people/Continuations.ts"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { SignIn } from "../../core/accounts/people/SignIn.ts"
import { Brands, hostName } from "../../domain/brand/Brand.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { clientAddress } from "../../foundation/http/ClientAddress.ts"
import { fromOurPages, initiatorOf } from "../../foundation/http/SameOrigin.ts"
import { seeOther } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { noteReader, uiLocalesIn } from "../../foundation/web/ReaderWishes.ts"
import { readForm, readQuery } from "../../foundation/web/ReadForm.ts"
import { emptyServerNotice } from "./EmptyServer.ts"
import { pageController } from "./PageRoutes.ts"
import { continuedAt, isShort, ownPath } from "./ReturnTo.ts"
import { expireCookie, setCookie } from "./SessionCookie.ts"
import { SignInContext } from "./SignInContext.ts"
import { SignInMethods } from "./SignInMethods.ts"
import {
  anotherElsewherePage,
  continueTo,
  fromElsewherePage,
  nobodyPage,
  noPasswordsPage,
  signedOutPage,
  signInPage,
  type SignInView,
  tooManySignInsPage
} from "./SignInView.ts"
import { signOutForm } from "./SignOutForm.ts"

/** Signing in and out: `/sign-in`, `/sign-out`. */
export const SignInPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const requestAt = yield* SignInContext
  const config = yield* AppConfig
  const isFromOurPages = yield* fromOurPages
  const continuations = yield* Continuations
  const signIn = yield* SignIn
  const notice = yield* emptyServerNotice
  const methods = yield* SignInMethods
  const readSignOut = yield* signOutForm
  const { authenticate, browserUser } = yield* IdentitySource
  const brands = yield* Brands
  const hasPasswords = authenticate !== undefined
  const canReset = hasPasswords && Option.isSome(yield* LocalUsers)

  /** A sign-in elsewhere comes back to `AUTH_URL`, where what another host has put into the browser is missing. */
  const comesBackElsewhere = (host: string | undefined) =>
    brands.isHost(host) && hostName(host) !== new URL(config.authUrl).hostname

  /** What a path leads to, which may wait under an id meanwhile, and whose languages the pages before it have. */
  const leadsTo = Effect.fnUntraced(function*(path: string) {
    const id = continuedAt(path)
    const waiting = Option.getOrElse(
      id === undefined ? Option.none() : yield* continuations.find(id),
      (): Continuation => ({ location: path })
    )
    yield* noteReader({ uiLocales: uiLocalesIn(waiting.location) })
    return waiting
  })

  /** App's request that waits there. */
  const requestOf = ({ location }: Continuation) => Effect.map(requestAt(location), Option.getOrUndefined)

  const showForm = Effect.fnUntraced(
    function*(view: Pick<SignInView, "returnTo" | "again" | "another" | "renew" | "email" | "error" | "status">) {
      const waiting = yield* leadsTo(view.returnTo)
      const app = (yield* requestOf(waiting))?.app
      // Asks an app's question again: it holds nothing to fill in.
      const formWaits = waiting.form !== undefined && !waiting.location.startsWith("/auth/")
      return signInPage({ ...view, app, formWaits, methods, hasPasswords, canReset, notice: yield* notice })
    }
  )

  const show = Effect.gen(function*() {
    const query = yield* readQuery
    const returnTo = ownPath(query.get("return_to"))
    const visitor = yield* pages.current
    // A signed-in user is asked again only before a dangerous act.
    const again = query.has("again") && Option.isSome(visitor) && !visitor.value.session.isRecent
    // The provider is asked again for the role of one whose role has lapsed.
    const renew = query.has("renew") && Option.isSome(visitor)
    if (Option.isSome(visitor) && !again && !renew) return seeOther(returnTo)
    const { headers, url } = yield* HttpServerRequest.HttpServerRequest
    const user = browserUser === undefined ? Option.none() : yield* browserUser(headers)
    const another = query.has("another")
    if (Option.isSome(user)) {
      if (another) return anotherElsewherePage(user.value.name, returnTo)
      yield* pages.end
      return setCookie(config, yield* signIn.startAs(user.value.id, { ofBrowser: true }))(continueTo(returnTo))
    }
    if (!isShort(returnTo)) return yield* pages.signIn(returnTo)
    // A browser applies `form-action` to every redirect that follows a form, and most forms are answered so when the
    // session has ended: after one of ours, the way elsewhere starts from a page.
    const isDirect = initiatorOf(headers, () => false) !== "same-origin"
    const only = !isDirect || hasPasswords || methods.length > 1 ? undefined : methods[0]
    const method = methods.find(({ id }) => id === query.get("method")) ?? only
    if (method !== undefined) {
      if (comesBackElsewhere(headers["host"])) return seeOther(config.authUrl + ownPath(url))
      return yield* method.begin({
        returnTo,
        ...yield* Effect.flatMap(leadsTo(returnTo), requestOf),
        ...again && { prompt: "login" },
        ...another && { prompt: "select_account", loginHint: undefined }
      })
    }
    if (!hasPasswords && methods.length === 0) return nobodyPage
    return yield* showForm({ returnTo, again, another, renew, ...again && { email: visitor.value.account.email } })
  })

  const start = Effect.gen(function*() {
    if (!hasPasswords) return noPasswordsPage
    const request = yield* HttpServerRequest.HttpServerRequest
    if (!isFromOurPages(request)) return fromElsewherePage
    const fields = yield* readForm
    const returnTo = ownPath(fields.get("return_to"))
    const again = fields.has("again")
    const another = fields.has("another")
    const email = fields.get("email") ?? ""
    const password = Redacted.make(fields.get("password") ?? "", { label: "password" })
    const address = clientAddress(config, request)
    return yield* signIn.start({ email, password, address }).pipe(
      // A fresh session prevents session fixation: a person who knows the old token does not get the new one.
      Effect.tap(() => pages.end),
      Effect.map((token) => setCookie(config, token)(continueTo(returnTo))),
      Effect.catchTags({
        WrongCredentials: () => showForm({ returnTo, again, another, email, error: wrongCredentials, status: 403 }),
        TooManyAttempts: (error) => Effect.as(leadsTo(returnTo), tooManySignInsPage(error)),
        TemporarilyUnavailable: Effect.die
      })
    )
  })

  // A user who has signed out here may be signed in elsewhere still, and would be signed straight back in.
  const signedOut = hasPasswords && methods.length === 0 && browserUser === undefined
    ? seeOther("/sign-in")
    : signedOutPage

  const signOut = Effect.gen(function*() {
    const returnTo = (yield* readSignOut).get("return_to")
    yield* pages.end
    return expireCookie(config)(returnTo === undefined ? signedOut : yield* pages.signInAsAnother(returnTo))
  })

  yield* get("/sign-in", show)
  yield* post("/sign-in", start)
  yield* post("/sign-out", signOut)
}))

const wrongCredentials = text("signIn.wrongCredentials")
