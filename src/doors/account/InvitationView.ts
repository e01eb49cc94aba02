import type { Invitation } from "../../core/accounts/local/Invitation.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import { alert, field } from "../../foundation/web/FormFields.ts"
import { html } from "../../foundation/web/Html.ts"
import { inSameLanguage } from "../../foundation/web/LanguageChoice.ts"
import { page } from "../../foundation/web/Layout.ts"
import { strong, text } from "../../foundation/web/Message.ts"
import { unusableLinkPage } from "./MailedLinkView.ts"
import { firstPassword, newPasswordFields } from "./NewPasswordFields.ts"

interface InvitationView {
  readonly token: string
  readonly invitation: Invitation
  readonly name?: string
  readonly problem?: BadRequest | Conflict
}

/** Form that makes the account of an invited person. */
export const invitationPage = ({ invitation: { email, role }, name, problem, token }: InvitationView) =>
  page({
    title: text("invitation"),
    problem,
    body: html`<section class="narrow">
<h1>${text("invitation")}</h1>
<p>${text("invitation.as", { email, role, strong })}</p>
${alert(problem)}
<form method="post" action="${inSameLanguage("/invitation")}" novalidate>
<input type="hidden" name="token" value="${token}">
${field({ name: "name", label: text("invitation.name"), value: name, autocomplete: "name" }, problem?.details)}
${newPasswordFields(firstPassword, problem?.details)}
<button>${text("invitation.button")}</button>
</form>
</section>`
  })

export const invitationUnusablePage = unusableLinkPage(text("invitation.unusable.remedy"), {
  href: "/sign-in",
  label: text("signIn")
})
