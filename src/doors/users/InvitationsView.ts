import type { Invitation } from "../../core/accounts/local/Invitation.ts"
import { Role } from "../../core/accounts/people/Account.ts"
import type { BadRequest, Conflict, NotFound } from "../../domain/ApiError.ts"
import { breakable } from "../../foundation/web/BreakableText.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { alert, csrfField, emailField, noticeOf, select } from "../../foundation/web/FormFields.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import type { Visitor } from "../session/PageSession.ts"
import { roleTitles } from "./UsersView.ts"

export const invitationsPath = "/users/invitations"

export interface InvitationsView {
  readonly visitor: Visitor
  readonly invitations: ReadonlyArray<Invitation>
  readonly email?: string
  readonly role?: string
  readonly problem?: BadRequest | Conflict | NotFound
}

export const invitationsBody = (view: InvitationsView): Html =>
  html`<h1>Invitations</h1>
${noticeOf(view.visitor.notice)}
<p>An invited person gets a mail with a link, and chooses a name and a password. <a href="/users">All users</a></p>
${alert(view.problem)}
<form method="post" action="${invitationsPath}" novalidate>
${csrfField(view.visitor.viewer)}
${emailField({ label: "E-mail address", value: view.email, autocomplete: "off" }, view.problem?.details)}
${
    select({
      name: "role",
      label: "Role",
      options: Role.literals.map((role) => [role, roleTitles[role]] as const),
      value: view.role ?? "user"
    })
  }
<button>Invite</button>
</form>
<h2>Waiting</h2>
${view.invitations.length === 0 ? html`<p class="empty">No invitation waits.</p>` : table(view)}`

const table = ({ invitations, visitor }: InvitationsView): Html =>
  html`<div class="overflow-auto"><table>
<thead><tr><th scope="col">E-mail address</th><th scope="col">Role</th><th scope="col">Works until</th><th scope="col">Change</th></tr></thead>
<tbody>
${
    invitations.map(({ email, expiresAt, id, role }) =>
      html`<tr>
<td class="free">${breakable(email)}</td>
<td data-label="Role">${roleTitles[role]}</td>
<td data-label="Works until">${dateText(expiresAt, visitor.account)}</td>
<td>${act(id, "resend", `Send again, to ${email}`, "Send again", visitor)} ${
        act(id, "withdraw", `Withdraw the invitation of ${email}`, "Withdraw", visitor)
      }</td>
</tr>`
    )
  }
</tbody></table></div>`

const act = (id: string, what: "resend" | "withdraw", title: string, label: string, { viewer }: Visitor): Html =>
  html`<form method="post" action="${invitationsPath}/${encodeURIComponent(id)}/${what}">
${csrfField(viewer)}
<button class="link" aria-label="${title}">${label}</button>
</form>`
