import type { AccountPage } from "../../core/accounts/local/ManagedAccounts.ts"
import { type ListedAccount, Role } from "../../core/accounts/people/Account.ts"
import type { TimePreferences } from "../../domain/InstantText.ts"
import { breakable } from "../../foundation/web/BreakableText.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { pager } from "../../foundation/web/Pager.ts"

interface UsersView extends AccountPage {
  readonly search: string
  readonly role: Role | undefined
  /** True where people have local accounts. */
  readonly mayInvite: boolean
  readonly reader: TimePreferences
}

export const usersBody = (view: UsersView): Html =>
  html`<h1>${text("users")}</h1>
<search><form method="get" action="/users" class="filter">
<label>${text("users.search")} <input type="search" name="search" value="${view.search}" maxlength="200" placeholder="${
    text("users.search.hint")
  }"></label>
<label>${text("users.role")} <select name="role"><option value="">${text("users.role.any")}</option>${
    Role.literals.map((role) =>
      html`<option value="${role}"${role === view.role ? html` selected` : nothing}>${text(`role.${role}`)}</option>`
    )
  }</select></label>
<button class="secondary">${text("users.show")}</button>
</form></search>
<p>${text("users.count", { count: view.total })}${
    view.mayInvite ? html` · <a href="/users/invitations">${text("users.invitations")}</a>` : nothing
  } · <a href="/review/references">${text("references")}</a></p>
${
    view.total === 0
      ? html`<p class="empty">${text("users.none")} <a href="/users">${text("users.all")}</a></p>`
      : table(view)
  }
${pager(view, (page) => address(view, page))}`

export const userPath = (id: string): string => `/users/${encodeURIComponent(id)}`

/** Role of a user, and whether the account is disabled, at a glance. */
export const standingOf = ({ disabled, role }: Pick<ListedAccount, "disabled" | "role">): Html =>
  html`<span class="status${role === "user" ? "" : " approved"}">${text(`role.${role}`)}</span>${
    disabled ? html` <span class="status suspended">${text("users.disabled")}</span>` : nothing
  }`

/** Where the user of an account signs in, at a glance. */
const originOf = ({ issuer }: Pick<ListedAccount, "issuer">): Html =>
  issuer === null
    ? text("users.account.local")
    : text("users.account.linked", { host: html`<bdi>${URL.parse(issuer)?.host ?? issuer}</bdi>` })

const table = ({ accounts, reader }: UsersView): Html =>
  html`<div class="overflow-auto"><table aria-label="${text("users")}">
<thead><tr><th scope="col">${text("users.name")}</th><th scope="col">${text("users.email")}</th><th scope="col">${
    text("users.role")
  }</th><th scope="col">${text("users.account")}</th><th scope="col">${text("users.since")}</th></tr></thead>
<tbody>
${
    accounts.map((account) =>
      html`<tr>
<td class="free"><a href="${userPath(account.id)}"><bdi>${account.name}</bdi></a></td>
<td class="free" data-label="${text("users.email")}">${breakable(account.email)}</td>
<td>${standingOf(account)}</td>
<td data-label="${text("users.account")}">${originOf(account)}</td>
<td data-label="${text("users.since")}">${dateText(account.createdAt, reader)}</td>
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
