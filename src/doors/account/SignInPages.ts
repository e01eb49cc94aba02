import { Duration, Effect, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Sessions } from "../../core/accounts/Sessions.ts"
import { SignIn } from "../../core/accounts/SignIn.ts"
import { retryAfterSeconds, type TooManyAttempts } from "../../domain/TooManyAttempts.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { clientAddress } from "../../foundation/http/ClientAddress.ts"
import { isFromOurPages } from "../../foundation/http/SameOrigin.ts"
import { alert, field } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { failurePage, page, seeOther } from "../../foundation/web/Layout.ts"
import { readForm, readQuery } from "../../foundation/web/ReadForm.ts"
import { answering, PageSession } from "./PageSession.ts"
import { ownPath } from "./ReturnTo.ts"
import { expireCookie, readCookie, setCookie } from "./SessionCookie.ts"
import { SignInContext } from "./SignInContext.ts"

/** Signing in and out: `/sign-in`, `/sign-out`. */
export const SignInPages = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const signInContext = yield* SignInContext
  const config = yield* AppConfig
  const pages = yield* PageSession
  const sessions = yield* Sessions
  const signIn = yield* SignIn

  const signInPage = ({ status = 200, ...form }: Omit<SignInForm, "app"> & { readonly status?: number }) =>
    Effect.map(
      signInContext(form.returnTo),
      (app) => page({ title: "Sign in", status, body: signInForm({ ...form, app: Option.getOrUndefined(app) }) })
    )

  const endSession = Effect.gen(function*() {
    const token = readCookie(config, yield* HttpServerRequest.HttpServerRequest)
    if (token !== undefined) yield* sessions.end(token)
  })

  yield* router.add(
    "GET",
    "/sign-in",
    Effect.gen(function*() {
      const returnTo = ownPath((yield* readQuery).get("return_to"))
      return Option.isSome(yield* pages.current) ? seeOther(returnTo) : yield* signInPage({ returnTo })
    })
  )

  yield* router.add(
    "POST",
    "/sign-in",
    answering(Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (!isFromOurPages(config, request)) return fromElsewhere
      const fields = yield* readForm
      const returnTo = ownPath(fields.get("return_to"))
      const email = fields.get("email") ?? ""
      const password = Redacted.make(fields.get("password") ?? "", { label: "password" })
      const address = clientAddress(config, request)
      return yield* signIn.start({ email, password, address }).pipe(
        // The session of before is not carried over: who had its token must not get this one.
        Effect.tap(() => endSession),
        Effect.map((token) => setCookie(config, token)(goOn(returnTo))),
        Effect.catchTags({
          WrongCredentials: () => signInPage({ returnTo, email, error: wrongCredentials, status: 403 }),
          TooManyAttempts: (error) => Effect.succeed(slowDown(error))
        })
      )
    }))
  )

  yield* router.add(
    "POST",
    "/sign-out",
    answering(Effect.gen(function*() {
      if (Option.isSome(yield* pages.current)) {
        yield* pages.form
        yield* endSession
      }
      return expireCookie(config)(seeOther("/sign-in"))
    }))
  )
}))

const wrongCredentials = "This e-mail address and password do not belong together."

interface SignInForm {
  /** Where to go on to, and the app that waits there. */
  readonly returnTo: string
  readonly app: string | undefined
  readonly email?: string
  readonly error?: string
}

const signInForm = ({ app, email, error, returnTo }: SignInForm): Html =>
  html`<section class="narrow">
<h1>Sign in</h1>
${app === undefined ? nothing : html`<p>To go on to <span class="app-name">${app}</span></p>`}
${alert(error)}
<form method="post" action="/sign-in">
<input type="hidden" name="return_to" value="${returnTo}">
${field({ name: "email", label: "E-mail address", type: "email", value: email, autocomplete: "username" })}
${field({ name: "password", label: "Password", type: "password", autocomplete: "current-password" })}
<button>Sign in</button>
</form>
</section>`

/**
 * On to where the person came from. A browser applies `form-action` to every redirect that follows a form, and behind
 * the authorization endpoint may be an app: so the way there starts from a page of its own.
 */
const goOn = (returnTo: string) =>
  returnTo.startsWith("/auth/")
    ? HttpServerResponse.setHeader(
      page({
        title: "Signed in",
        body: html`<section class="narrow"><h1>Signed in</h1><p><a href="${returnTo}">Continue</a></p></section>`
      }),
      "refresh",
      `0;url=${returnTo}`
    )
    : seeOther(returnTo)

const slowDown = (error: TooManyAttempts) => {
  const minutes = Math.max(1, Math.ceil(Duration.toMinutes(error.retryAfter)))
  return HttpServerResponse.setHeader(
    failurePage({
      status: 429,
      title: "Too many attempts",
      what: "There were too many failed sign-ins from your network.",
      remedy: `Wait ${minutes === 1 ? "a minute" : `${minutes} minutes`}, then try again.`,
      next: { href: "/sign-in", label: "Sign in" }
    }),
    "retry-after",
    retryAfterSeconds(error)
  )
}

const fromElsewhere = failurePage({
  status: 403,
  title: "Not accepted",
  what: "Another site sent this sign-in, so it was not looked at.",
  remedy: "Open the sign-in page itself and sign in there.",
  next: { href: "/sign-in", label: "Sign in" }
})
