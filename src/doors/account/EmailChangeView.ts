import type { MailedLink } from "../../core/accounts/local/MailedLink.ts"
import type { Account } from "../../core/accounts/people/Account.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { alert, csrfField, emailField, field, noticeOf } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { page, type Viewer } from "../../foundation/web/Layout.ts"
import { tooManyPage } from "../session/TooManyView.ts"
import { unusableLinkPage } from "./MailedLinkView.ts"

export const emailPath = "/account/email"

export interface EmailChangeView {
  readonly account: Account
  readonly viewer: Viewer
  readonly notice: Phrase | undefined
  /** Change that waits for its confirmation. */
  readonly pending: MailedLink | undefined
  /** Address that was entered, and what is wrong with the form. */
  readonly email?: string
  readonly problem?: BadRequest | Conflict
}

/** Form for another address. */
export const emailChangeBody = (view: EmailChangeView): Html =>
  html`<section class="narrow">
<h1>E-mail address</h1>
${noticeOf(view.notice)}
<p>Your address is <strong>${view.account.email}</strong>.</p>
${view.pending === undefined ? nothing : waiting(view, view.pending)}
<p>We mail a link to the new address. Until it is opened, the old one stays valid. The old one gets a mail, too.</p>
<p>Opening the link signs you out everywhere and revokes your API keys. Connected apps stay connected.</p>
${alert(view.problem)}
<form method="post" action="${emailPath}" novalidate>
${csrfField(view.viewer)}
${emailField({ label: "The new address", value: view.email, autocomplete: "email" }, view.problem?.details)}
${
    field(
      { name: "current", label: "Your current password", type: "password", autocomplete: "current-password" },
      view.problem?.details
    )
  }
<button>Mail me a link</button>
</form>
<p><a href="/account">Back to your account</a></p>
</section>`

const waiting = ({ account, viewer }: EmailChangeView, { email, expiresAt }: MailedLink): Html =>
  html`<div class="notice"><p><strong>${email}</strong> waits for its confirmation until ${
    dateText(expiresAt, account)
  }.</p>
<form method="post" action="${emailPath}/withdraw">
${csrfField(viewer)}
<button class="link">Keep the address that I have</button>
</form></div>`

/** Button behind the link to the new address. */
export const confirmAddressPage = (token: string, { email }: MailedLink) =>
  page({
    title: "Confirm your new address",
    body: html`<section class="narrow">
<h1>Confirm your new address</h1>
<p>Your account gets the address <strong>${email}</strong>. You sign in with it from then on.</p>
<p>It is signed out everywhere, and its API keys are revoked.</p>
<form method="post" action="/confirm-address">
<input type="hidden" name="token" value="${token}">
<button>Use this address</button>
</form>
</section>`
  })

export const addressConfirmedPage = ({ email }: MailedLink) =>
  page({
    title: "Your new address is confirmed",
    body: html`<section class="narrow">
<h1>Your new address is confirmed</h1>
<p role="status">Your account has the address <strong>${email}</strong>. You sign in with it from now on; everybody
was signed out.</p>
<p><a href="/sign-in" class="button">Sign in</a></p>
</section>`
  })

export const changeUnusablePage = unusableLinkPage("Sign in, and ask for another link if you still need one.", {
  href: emailPath,
  label: "Change the address"
})

export const tooManyChangesPage = tooManyPage({
  what: "You have asked for too many changes of your address in a short time.",
  next: { href: emailPath, label: "Back to your address" }
})
