import type { MailedLink } from "../../core/accounts/local/MailedLink.ts"
import type { Account } from "../../core/accounts/people/Account.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { alert, csrfField, emailField, field } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { inSameLanguage } from "../../foundation/web/LanguageChoice.ts"
import { page, type Viewer } from "../../foundation/web/Layout.ts"
import { strong, text } from "../../foundation/web/Message.ts"
import { notice, noticeOf } from "../../foundation/web/Notice.ts"
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
<h1>${text("emailChange")}</h1>
${noticeOf(view.notice)}
<p>${text("emailChange.current", { email: view.account.email, strong })}</p>
${view.pending === undefined ? nothing : waiting(view, view.pending)}
<p>${text("emailChange.why")}</p>
<p>${text("emailChange.consequences")}</p>
${alert(view.problem)}
<form method="post" action="${emailPath}" novalidate>
${csrfField(view.viewer)}
${emailField({ label: text("emailChange.new"), value: view.email, autocomplete: "email" }, view.problem?.details)}
${
    field(
      { name: "current", label: text("newPassword.current"), type: "password", autocomplete: "current-password" },
      view.problem?.details
    )
  }
<button>${text("emailChange.link")}</button>
</form>
<p><a href="/account">${text("account.back")}</a></p>
</section>`

const waiting = ({ account, viewer }: EmailChangeView, { email, expiresAt }: MailedLink): Html =>
  notice(
    "note",
    html`<p>${text("emailChange.waiting", { email, until: dateText(expiresAt, account), strong })}</p>
<form method="post" action="${emailPath}/withdraw">
${csrfField(viewer)}
<button class="link">${text("emailChange.withdraw")}</button>
</form>`
  )

/** Button behind the link to the new address. */
export const confirmAddressPage = (token: string, { email }: MailedLink) =>
  page({
    title: text("emailChange.ask"),
    body: html`<section class="narrow">
<h1>${text("emailChange.ask")}</h1>
<p>${text("emailChange.ask.what", { email, strong })}</p>
<p>${text("emailChange.ask.consequences")}</p>
<form method="post" action="${inSameLanguage("/confirm-address")}">
<input type="hidden" name="token" value="${token}">
<button>${text("emailChange.ask.button")}</button>
</form>
</section>`
  })

export const addressConfirmedPage = ({ email }: MailedLink) =>
  page({
    title: text("emailChange.done"),
    body: html`<section class="narrow">
<h1>${text("emailChange.done")}</h1>
<p role="status">${text("emailChange.done.what", { email, strong })}</p>
<p><a href="/sign-in" class="button">${text("signIn")}</a></p>
</section>`
  })

export const changeUnusablePage = unusableLinkPage(text("emailChange.unusable.remedy"), {
  href: emailPath,
  label: text("account.changeEmail")
})

export const tooManyChangesPage = tooManyPage({
  what: text("emailChange.tooMany"),
  next: { href: emailPath, label: text("emailChange.back") }
})
