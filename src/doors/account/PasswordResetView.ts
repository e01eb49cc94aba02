import type { BadRequest } from "../../domain/ApiError.ts"
import { alert, emailField } from "../../foundation/web/FormFields.ts"
import { html, nothing } from "../../foundation/web/Html.ts"
import { inSameLanguage } from "../../foundation/web/LanguageChoice.ts"
import { page } from "../../foundation/web/Layout.ts"
import { strong, text } from "../../foundation/web/Message.ts"
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
    title: text("passwordReset"),
    problem,
    body: html`<section class="narrow">
<h1>${text("passwordReset")}</h1>
<p>${text("passwordReset.why")}</p>
${alert(problem)}
<form method="post" action="${inSameLanguage(forgottenPasswordPath)}" novalidate>
${emailField({ label: text("passwordReset.email"), value: email, autocomplete: "username" }, problem?.details)}
<button>${text("passwordReset.button")}</button>
</form>
<p><a href="${inSameLanguage("/sign-in")}">${text("passwordReset.back")}</a></p>
</section>`
  })

/** Answer whether or not there is an account. `isMailKept` where the server has no mail server and keeps its mails. */
export const linkSentPage = (email: string, isMailKept: boolean) =>
  page({
    title: text("passwordReset.sent"),
    body: html`<section class="narrow">
<h1>${text("passwordReset.sent")}</h1>
<p role="status">${text("passwordReset.sent.what", { email, strong })}</p>
${
      isMailKept
        ? html`<p>${text("passwordReset.sent.kept", { folder: html`<code>mail</code>` })}</p>`
        : nothing
    }
<p class="muted">${text("passwordReset.sent.none")}</p>
<p><a href="${inSameLanguage("/sign-in")}">${text("passwordReset.back")}</a></p>
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
    title: text("passwordReset.choose"),
    problem,
    body: html`<section class="narrow">
<h1>${text("passwordReset.choose")}</h1>
<p>${text("passwordReset.account", { email, strong })}</p>
${alert(problem)}
<form method="post" action="${inSameLanguage("/reset-password")}" novalidate>
<input type="hidden" name="token" value="${token}">
${newPasswordFields({ password: text("newPassword"), repeated: text("newPassword.again") }, problem?.details)}
${
      keys === 0
        ? nothing
        : html`<label class="choice"><input type="checkbox" name="keys" checked><span>${
          text("newPassword.keys", { count: keys })
        }</span></label>`
    }
<label class="choice"><input type="checkbox" name="apps"><span>${text("newPassword.apps")}</span></label>
<button>${text("newPassword.button")}</button>
</form>
</section>`
  })

export const resetUnusablePage = unusableLinkPage(text("passwordReset.unusable.remedy"), {
  href: forgottenPasswordPath,
  label: text("passwordReset")
})

export const tooManyLinksPage = tooManyPage({
  what: text("passwordReset.tooMany"),
  next: { href: "/sign-in", label: text("signIn") }
})
