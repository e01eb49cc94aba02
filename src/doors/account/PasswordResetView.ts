import type { BadRequest } from "../../domain/ApiError.ts"
import { alert, emailField } from "../../foundation/web/FormFields.ts"
import { html, nothing } from "../../foundation/web/Html.ts"
import { page } from "../../foundation/web/Layout.ts"
import { forgottenPasswordPath } from "../session/ReturnTo.ts"
import { tooManyPage } from "../session/TooManyView.ts"
import { unusableLinkPage } from "./MailedLinkView.ts"
import { newPasswordFields } from "./NewPasswordFields.ts"

interface ForgottenPasswordView {
  readonly email?: string
  readonly problem?: BadRequest
}

/** Form that asks for a link. */
export const forgottenPasswordPage = ({ email, problem }: ForgottenPasswordView = {}) =>
  page({
    title: "Forgotten password",
    problem,
    body: html`<section class="narrow">
<h1>Forgotten password</h1>
<p>We mail you a link with which you choose a new one.</p>
${alert(problem)}
<form method="post" action="${forgottenPasswordPath}" novalidate>
${emailField({ label: "E-mail address", value: email, autocomplete: "username" }, problem?.details)}
<button>Mail me a link</button>
</form>
<p><a href="/sign-in">Back to the sign-in</a></p>
</section>`
  })

/** Answer whether or not there is an account. `isMailKept` where the server has no mail server and keeps its mails. */
export const linkSentPage = (email: string, isMailKept: boolean) =>
  page({
    title: "Look into your mailbox",
    body: html`<section class="narrow">
<h1>Look into your mailbox</h1>
<p role="status">If there is an account with the address <strong>${email}</strong>, a mail with a link is on its way there.
The link works for an hour.</p>
${
      isMailKept
        ? html`<p>This server has no mail server yet: its operator finds the mail in the folder <code>mail</code> of its data.</p>`
        : nothing
    }
<p class="muted">No mail? Look in your spam folder, and check that this is the address of your account. An address gets at most three
such mails an hour.</p>
<p><a href="/sign-in">Back to the sign-in</a></p>
</section>`
  })

interface NewPasswordView {
  readonly token: string
  readonly email: string
  /** Number of API keys, which may end with the old password. */
  readonly keys: number
  readonly problem?: BadRequest
}

/** Form behind the link. */
export const newPasswordPage = ({ email, keys, problem, token }: NewPasswordView) =>
  page({
    title: "Choose a new password",
    problem,
    body: html`<section class="narrow">
<h1>Choose a new password</h1>
<p>For the account <strong>${email}</strong>. All its browsers are signed out.</p>
${alert(problem)}
<form method="post" action="/reset-password" novalidate>
<input type="hidden" name="token" value="${token}">
${newPasswordFields({ password: "The new password", repeated: "The new password again" }, problem?.details)}
${
      keys === 0
        ? nothing
        : html`<label><input type="checkbox" name="keys" checked> Revoke my API keys (${keys}), too</label>`
    }
<label><input type="checkbox" name="apps"> Disconnect all apps that act for me, too</label>
<button>Change the password</button>
</form>
</section>`
  })

export const resetUnusablePage = unusableLinkPage("Ask for another link if you still need one.", {
  href: forgottenPasswordPath,
  label: "Forgotten password"
})

export const tooManyLinksPage = tooManyPage({
  what: "Your network has asked for too many links in a short time.",
  next: { href: "/sign-in", label: "Sign in" }
})
