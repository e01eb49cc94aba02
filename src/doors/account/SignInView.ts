import { Duration } from "effect"
import { HttpServerResponse } from "effect/http"
import { retryAfterSeconds, type TooManyAttempts } from "../../domain/TooManyAttempts.ts"
import { alert, field } from "../../foundation/web/FormFields.ts"
import { html, nothing } from "../../foundation/web/Html.ts"
import { failurePage, page, seeOther } from "../../foundation/web/Layout.ts"

export interface SignInView {
  /** The path that the sign-in leads to. */
  readonly returnTo: string
  /** The name of the app that waits there. */
  readonly app: string | undefined
  readonly email?: string
  readonly error?: string
  readonly status?: number
}

export const signInPage = (
  { app, email, error, returnTo, status = 200 }: SignInView
): HttpServerResponse.HttpServerResponse =>
  page({
    title: "Sign in",
    status,
    body: html`<section class="narrow">
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
  })

/**
 * Sends the browser on to `returnTo`. A browser applies `form-action` to every redirect that follows a form, and the
 * authorization endpoint may redirect to an app: so the way there starts from a page of its own.
 */
export const continueTo = (returnTo: string): HttpServerResponse.HttpServerResponse =>
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

export const tooManyAttemptsPage = (error: TooManyAttempts): HttpServerResponse.HttpServerResponse => {
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

export const fromElsewherePage: HttpServerResponse.HttpServerResponse = failurePage({
  status: 403,
  title: "Not accepted",
  what: "Another site sent this sign-in, so it was not looked at.",
  remedy: "Open the sign-in page itself and sign in there.",
  next: { href: "/sign-in", label: "Sign in" }
})
