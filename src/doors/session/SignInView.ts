import { alert, emailField, field, titleWithErrors } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { inSameLanguage } from "../../foundation/web/LanguageChoice.ts"
import { failurePage, page, seeOther } from "../../foundation/web/Layout.ts"
import { strong, text } from "../../foundation/web/Message.ts"
import { forgottenPasswordPath, signInPath } from "./ReturnTo.ts"
import type { SignInMethod } from "./SignInMethods.ts"
import { tooManyPage } from "./TooManyView.ts"
import { wayName } from "./WayName.ts"

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
  readonly error?: Html
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
  const title = text(again || renew ? "signIn.again" : "signIn")
  const [only] = hasPasswords || methods.length > 1 ? [] : methods
  return page({
    title: error === undefined ? title : titleWithErrors(1, title),
    status,
    ...only !== undefined && { refresh: methodPath(only.id, returnTo, wishes) },
    body: html`<section class="narrow">
<h1>${title}</h1>
${again ? whyAgain : renew ? whyRenew : formWaits && !another ? sessionEnded : nothing}
${
      app === undefined
        ? nothing
        : html`<p>${text("signIn.toApp", { app: html`<span class="app-name">${app}</span>` })}</p>`
    }
${notice}
${alert(error)}
${methods.map((method) => methodButton(method, returnTo, wishes))}
${hasPasswords && methods.length > 0 ? html`<p class="divider">${text("signIn.orPassword")}</p>` : nothing}
${hasPasswords ? passwordForm(returnTo, email, wishes) : nothing}
${canReset ? html`<p><a href="${inSameLanguage(forgottenPasswordPath)}">${text("signIn.forgotten")}</a></p>` : nothing}
</section>`
  })
}

const whyAgain = html`<p>${text("signIn.again.why")}</p>`
const whyRenew = html`<p>${text("signIn.renew.why")}</p>`
const sessionEnded = html`<p>${text("signIn.sessionEnded")}</p>`

/** Parameters that say more about the sign-in than where it leads. */
type Wishes = Readonly<Record<string, string>>

const methodButton = ({ id, label }: Pick<SignInMethod, "id" | "label">, returnTo: string, wishes: Wishes): Html =>
  html`<p><a class="button wide" href="${methodPath(id, returnTo, wishes)}">${
    text("signIn.with", { way: wayName(id, label) })
  }</a></p>`

const methodPath = (id: string, returnTo: string, wishes: Wishes): string =>
  `/sign-in?${new URLSearchParams({ method: id, return_to: returnTo, ...wishes })}`

const passwordForm = (returnTo: string, email: string | undefined, wishes: Wishes): Html =>
  html`<form method="post" action="${inSameLanguage("/sign-in")}">
${
    Object.entries({ return_to: returnTo, ...wishes }).map(([name, value]) =>
      html`<input type="hidden" name="${name}" value="${value}">`
    )
  }
${emailField({ label: text("signIn.email"), value: email, autocomplete: "username" })}
${field({ name: "password", label: text("signIn.password"), type: "password", autocomplete: "current-password" })}
<button>${text("signIn")}</button>
</form>`

/**
 * Sends the browser on to `returnTo`. A browser applies `form-action` to every redirect that follows a form, and the
 * authorization endpoint may redirect to an app: so the way there starts from a page of its own.
 */
export const continueTo = (returnTo: string) =>
  returnTo.startsWith("/auth/")
    ? page({
      title: text("signIn.done"),
      refresh: returnTo,
      body: html`<section class="narrow"><h1>${text("signIn.done")}</h1><p><a href="${returnTo}">${
        text("signIn.continue")
      }</a></p></section>`
    })
    : seeOther(returnTo)

const toSignIn = { href: "/sign-in", label: text("signIn") }

export const tooManySignInsPage = tooManyPage({
  what: text("failure.tooManySignIns.what"),
  next: toSignIn
})

/** Page for a browser whose user somebody else names, and has not named. */
export const nobodyPage = failurePage({
  status: 403,
  title: text("failure.nobody"),
  what: text("failure.nobody.what"),
  remedy: text("failure.nobody.remedy")
})

/** Answer to a form that this server does not show. */
export const noPasswordsPage = failurePage({
  status: 403,
  title: text("failure.notAccepted"),
  what: text("failure.noPasswords.what"),
  remedy: text("failure.noPasswords.remedy"),
  next: toSignIn
})

/** Leads to the sign-in page, which may sign users in by itself who are still signed in elsewhere. */
export const signedOutPage = page({
  title: text("signOut.done"),
  body: html`<section class="narrow"><h1>${text("signOut.done")}</h1>
<p>${text("signOut.elsewhere")}</p>
<p><a href="/sign-in" class="button">${text("signIn.again")}</a></p></section>`
})

/** For a user who wants another account, where somebody else says whose browser it is. */
export const anotherElsewherePage = (name: string, returnTo: string) =>
  page({
    title: text("continue.anotherAccount"),
    body: html`<section class="narrow"><h1>${text("signIn.another")}</h1>
<p>${text("signIn.anotherElsewhere", { name, strong })}</p>
<p><a href="${signInPath(returnTo)}" class="button">${text("signIn.goOn")}</a></p></section>`
  })

export const fromElsewherePage = failurePage({
  status: 403,
  title: text("failure.notAccepted"),
  what: text("failure.signInFromElsewhere.what"),
  remedy: text("failure.signInFromElsewhere.remedy"),
  next: toSignIn
})
