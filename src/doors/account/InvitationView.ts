import type { Invitation } from "../../core/accounts/local/Invitation.ts"
import { roleLabels } from "../../core/accounts/people/Account.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import { alert, field } from "../../foundation/web/FormFields.ts"
import { html, nothing } from "../../foundation/web/Html.ts"
import { page } from "../../foundation/web/Layout.ts"
import { unusableLinkPage } from "./MailedLinkView.ts"
import { newPasswordFields } from "./NewPasswordFields.ts"

interface InvitationView {
  readonly token: string
  readonly invitation: Invitation
  readonly name?: string
  readonly problem?: BadRequest | Conflict
}

/** Form that makes the account of an invited person. */
export const invitationPage = ({ invitation: { email, role }, name, problem, token }: InvitationView) =>
  page({
    title: "Make your account",
    problem,
    body: html`<section class="narrow">
<h1>Make your account</h1>
<p>You are invited as <strong>${email}</strong>${role === "user" ? nothing : html`, ${roleLabels[role]}`}.</p>
${alert(problem)}
<form method="post" action="/invitation" novalidate>
<input type="hidden" name="token" value="${token}">
${field({ name: "name", label: "Your name", value: name, autocomplete: "name" }, problem?.details)}
${newPasswordFields({ password: "Password", repeated: "The same password again" }, problem?.details)}
<button>Make the account</button>
</form>
</section>`
  })

export const invitationUnusablePage = unusableLinkPage(
  "If you have made your account with it, sign in. Otherwise ask whoever has invited you for another mail.",
  { href: "/sign-in", label: "Sign in" }
)
