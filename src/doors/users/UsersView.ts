import type { AccountPage } from "../../core/accounts/local/ManagedAccounts.ts"
import { type ListedAccount, Role, roleLabels } from "../../core/accounts/people/Account.ts"
import { counted } from "../../domain/Counted.ts"
import type { TimePreferences } from "../../domain/InstantText.ts"
import { breakable } from "../../foundation/web/BreakableText.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { pager } from "../../foundation/web/Pager.ts"

interface UsersView extends AccountPage {
  readonly search: string
  readonly role: Role | undefined
  /** True where people have local accounts. */
  readonly mayInvite: boolean
  readonly reader: TimePreferences
}

export const usersBody = (view: UsersView): Html =>
  html`<h1>Users</h1>
<search><form method="get" action="/users" class="filter">
<label>Search <input type="search" name="search" value="${view.search}" maxlength="200" placeholder="Name, user name or e-mail address"></label>
<label>Role <select name="role"><option value="">Any</option>${
    Role.literals.map((role) =>
      html`<option value="${role}"${role === view.role ? html` selected` : nothing}>${roleTitles[role]}</option>`
    )
  }</select></label>
<button class="secondary">Show</button>
</form></search>
<p>${counted(view.total, "user")}${view.mayInvite ? html` · <a href="/users/invitations">Invitations</a>` : nothing}</p>
${view.total === 0 ? html`<p class="empty">Nobody fits. <a href="/users">Show all</a></p>` : table(view)}
${pager(view, (page) => address(view, page))}`

/** Roles as headings and choices name them. */
export const roleTitles: Readonly<Record<Role, string>> = {
  user: "User",
  reviewer: "Reviewer",
  admin: "Administrator"
}

export const userPath = (id: string): string => `/users/${encodeURIComponent(id)}`

/** Role of a user, and whether the account is disabled, at a glance. */
export const standingOf = ({ disabled, role }: Pick<ListedAccount, "disabled" | "role">): Html =>
  html`<span class="status${role === "user" ? "" : " approved"}">${roleLabels[role]}</span>${
    disabled ? html` <span class="status suspended">disabled</span>` : nothing
  }`

/** Where the user of an account signs in, at a glance. */
const originOf = ({ issuer }: Pick<ListedAccount, "issuer">): Html =>
  issuer === null ? html`local` : html`linked: ${URL.parse(issuer)?.host ?? issuer}`

const table = ({ accounts, reader }: UsersView): Html =>
  html`<div class="overflow-auto"><table>
<thead><tr><th scope="col">Name</th><th scope="col">E-mail address</th><th scope="col">Role</th><th scope="col">Account</th><th scope="col">Since</th></tr></thead>
<tbody>
${
    accounts.map((account) =>
      html`<tr>
<td class="free"><a href="${userPath(account.id)}">${account.name}</a></td>
<td class="free" data-label="E-mail address">${breakable(account.email)}</td>
<td>${standingOf(account)}</td>
<td data-label="Account">${originOf(account)}</td>
<td data-label="Since">${dateText(account.createdAt, reader)}</td>
</tr>`
    )
  }
</tbody></table></div>`

const address = ({ role, search }: UsersView, page: number): string => {
  const query = new URLSearchParams()
  if (search !== "") query.set("search", search)
  if (role !== undefined) query.set("role", role)
  if (page > 1) query.set("page", String(page))
  return query.size === 0 ? "/users" : `/users?${query}`
}
