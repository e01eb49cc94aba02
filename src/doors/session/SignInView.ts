import { alert, emailField, field } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { failurePage, page, seeOther } from "../../foundation/web/Layout.ts"
import { forgottenPasswordPath, signInPath } from "./ReturnTo.ts"
import type { SignInMethod } from "./SignInMethods.ts"
import { tooManyPage } from "./TooManyView.ts"

export interface SignInView {
  readonly returnTo: string
  /** True for a user who is signed in, and has to show again who they are. */
  readonly again?: boolean
  /** True for a user who is signed in, and whose role by a claim has lapsed. */
  readonly renew?: boolean
  /** True for a user who wants to go on with another account than the last. */
  readonly another?: boolean
  /** True if a form waits there that was sent when its session had ended. */
  readonly formWaits: boolean
  /** Name of the app that waits there. */
  readonly app: string | undefined
  readonly methods: ReadonlyArray<Pick<SignInMethod, "id" | "label">>
  /** True if users have passwords here. */
  readonly hasPasswords: boolean
  /** Stands above the form. */
  readonly notice?: Html
  readonly email?: string
  readonly error?: string
  readonly status?: number
  /** True where people with a local account get another password by mail. */
  readonly canReset: boolean
}

/** Page of the ways to sign in. If there is nothing to choose or to fill in, the browser goes on by itself. */
export const signInPage = (
  {
    again = false,
    another = false,
    app,
    canReset,
    email,
    error,
    formWaits,
    hasPasswords,
    methods,
    notice = nothing,
    renew = false,
    returnTo,
    status = 200
  }: SignInView
) => {
  const wishes = { ...again && { again: "1" }, ...another && { another: "1" }, ...renew && { renew: "1" } }
  const title = again || renew ? "Sign in again" : "Sign in"
  const [only] = hasPasswords || methods.length > 1 ? [] : methods
  return page({
    title,
    status,
    ...only !== undefined && { refresh: methodPath(only.id, returnTo, wishes) },
    body: html`<section class="narrow">
<h1>${title}</h1>
${again ? whyAgain : renew ? whyRenew : formWaits && !another ? sessionEnded : nothing}
${app === undefined ? nothing : html`<p>To go on to <span class="app-name">${app}</span></p>`}
${notice}
${alert(error)}
${methods.map((method) => methodButton(method, returnTo, wishes))}
${hasPasswords && methods.length > 0 ? html`<p class="divider">or with a password</p>` : nothing}
${hasPasswords ? passwordForm(returnTo, email, wishes) : nothing}
${canReset ? html`<p><a href="${forgottenPasswordPath}">Forgotten your password?</a></p>` : nothing}
</section>`
  })
}

const whyAgain =
  html`<p>It is a while since you signed in, and what you are about to do matters. Then you are back at your form.</p>`

const whyRenew =
  html`<p>Your identity provider gives you your role here, and that counts for a while after each sign-in. Sign in there again, and you are back where you were.</p>`

const sessionEnded =
  html`<p>Your session has ended. Sign in, and you are back at your form: nothing you wrote is lost, except passwords.</p>`

/** Parameters that say more about the sign-in than where it leads. */
type Wishes = Readonly<Record<string, string>>

const methodButton = ({ id, label }: Pick<SignInMethod, "id" | "label">, returnTo: string, wishes: Wishes): Html =>
  html`<p><a class="button wide" href="${methodPath(id, returnTo, wishes)}">Sign in with ${label}</a></p>`

const methodPath = (id: string, returnTo: string, wishes: Wishes): string =>
  `/sign-in?${new URLSearchParams({ method: id, return_to: returnTo, ...wishes })}`

const passwordForm = (returnTo: string, email: string | undefined, wishes: Wishes): Html =>
  html`<form method="post" action="/sign-in">
${
    Object.entries({ return_to: returnTo, ...wishes }).map(([name, value]) =>
      html`<input type="hidden" name="${name}" value="${value}">`
    )
  }
${emailField({ label: "E-mail address", value: email, autocomplete: "username" })}
${field({ name: "password", label: "Password", type: "password", autocomplete: "current-password" })}
<button>Sign in</button>
</form>`

/**
 * Sends the browser on to `returnTo`. A browser applies `form-action` to every redirect that follows a form, and the
 * authorization endpoint may redirect to an app: so the way there starts from a page of its own.
 */
export const continueTo = (returnTo: string) =>
  returnTo.startsWith("/auth/")
    ? page({
      title: "Signed in",
      refresh: returnTo,
      body: html`<section class="narrow"><h1>Signed in</h1><p><a href="${returnTo}">Continue</a></p></section>`
    })
    : seeOther(returnTo)

export const tooManySignInsPage = tooManyPage({
  what: "There were too many failed sign-ins from your network.",
  next: { href: "/sign-in", label: "Sign in" }
})

/** Page for a browser whose user somebody else names, and has not named. */
export const nobodyPage = failurePage({
  status: 403,
  title: "You are not signed in",
  what: "You sign in to this server through your platform, and it has not told this server who you are.",
  remedy:
    "Sign in there, then open the address again. If you have, ask whoever runs the platform whether you may use this."
})

/** Answer to a form that this server does not show. */
export const noPasswordsPage = failurePage({
  status: 403,
  title: "Not accepted",
  what: "Nobody signs in to this server with a password of its own.",
  remedy: "Open the sign-in page and go on as it says.",
  next: { href: "/sign-in", label: "Sign in" }
})

/** Leads to the sign-in page, which may sign users in by itself who are still signed in elsewhere. */
export const signedOutPage = page({
  title: "Signed out",
  body: html`<section class="narrow"><h1>Signed out</h1>
<p>You are signed out here. If you signed in at another site, you may still be signed in there: sign out there, too, on a device that others use.</p>
<p><a href="/sign-in" class="button">Sign in again</a></p></section>`
})

/** For a user who wants another account, where somebody else says whose browser it is. */
export const anotherElsewherePage = (name: string, returnTo: string) =>
  page({
    title: "Another account",
    body: html`<section class="narrow"><h1>Use another account</h1>
<p>Your platform tells this server who you are: <strong>${name}</strong>. To go on with another account, sign out there, sign in with that account, and come back to this page.</p>
<p><a href="${signInPath(returnTo)}" class="button">Go on</a></p></section>`
  })

export const fromElsewherePage = failurePage({
  status: 403,
  title: "Not accepted",
  what: "Another site sent this sign-in, so it was not looked at.",
  remedy: "Open the sign-in page itself and sign in there.",
  next: { href: "/sign-in", label: "Sign in" }
})
