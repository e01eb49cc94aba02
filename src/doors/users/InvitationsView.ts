import type { Invitation } from "../../core/accounts/local/Invitation.ts"
import { Role } from "../../core/accounts/people/Account.ts"
import type { BadRequest, Conflict, NotFound } from "../../domain/ApiError.ts"
import { breakable } from "../../foundation/web/BreakableText.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { alert, csrfField, emailField, select } from "../../foundation/web/FormFields.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { noticeOf } from "../../foundation/web/Notice.ts"
import type { Visitor } from "../session/PageSession.ts"

export const invitationsPath = "/users/invitations"

export interface InvitationsView {
  readonly visitor: Visitor
  readonly invitations: ReadonlyArray<Invitation>
  readonly email?: string
  readonly role?: string
  readonly problem?: BadRequest | Conflict | NotFound
}

export const invitationsBody = (view: InvitationsView): Html =>
  html`<h1>${text("invitations")}</h1>
${noticeOf(view.visitor.notice)}
<p>${text("invitations.about")} <a href="/users">${text("invitations.all")}</a></p>
${alert(view.problem)}
<form method="post" action="${invitationsPath}" novalidate>
${csrfField(view.visitor.viewer)}
${emailField({ label: text("invitations.email"), value: view.email, autocomplete: "off" }, view.problem?.details)}
${
    select({
      name: "role",
      label: text("invitations.role"),
      options: Role.literals.map((role) => [role, text(`role.${role}`)] as const),
      value: view.role ?? "user"
    })
  }
<button>${text("invitations.invite")}</button>
</form>
<h2 id="waiting">${text("invitations.waiting")}</h2>
${view.invitations.length === 0 ? html`<p class="empty">${text("invitations.none")}</p>` : table(view)}`

const table = ({ invitations, visitor }: InvitationsView): Html =>
  html`<div class="overflow-auto"><table aria-labelledby="waiting">
<thead><tr><th scope="col">${text("invitations.email")}</th><th scope="col">${
    text("invitations.role")
  }</th><th scope="col">${text("invitations.until")}</th><th scope="col">${text("invitations.change")}</th></tr></thead>
<tbody>
${
    invitations.map(({ email, expiresAt, id, role }) =>
      html`<tr>
<td class="free">${breakable(email)}</td>
<td data-label="${text("invitations.role")}">${text(`role.${role}`)}</td>
<td data-label="${text("invitations.until")}">${dateText(expiresAt, visitor.account)}</td>
<td>${act("resend", { email, id }, visitor)} ${act("withdraw", { email, id }, visitor)}</td>
</tr>`
    )
  }
</tbody></table></div>`

const act = (
  what: "resend" | "withdraw",
  { email, id }: Pick<Invitation, "email" | "id">,
  { viewer }: Visitor
): Html =>
  html`<form method="post" action="${invitationsPath}/${encodeURIComponent(id)}/${what}">
${csrfField(viewer)}
<button class="link" aria-label="${text(`invitations.act.${what}.to`, { email })}">${
    text(`invitations.act.${what}`)
  }</button>
</form>`
