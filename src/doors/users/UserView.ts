import type { Duration } from "effect"
import { type ListedAccount, Role } from "../../core/accounts/people/Account.ts"
import type { Conflict } from "../../domain/ApiError.ts"
import type { TimePreferences } from "../../domain/InstantText.ts"
import { confirmation } from "../../foundation/web/Confirmation.ts"
import { dateText, durationText } from "../../foundation/web/DateText.ts"
import { alert, csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { link, strong, text } from "../../foundation/web/Message.ts"
import { notice, noticeOf } from "../../foundation/web/Notice.ts"
import { auditTrail, type TrailEntry } from "../parts/AuditTrailView.ts"
import type { Visitor } from "../session/PageSession.ts"
import { standingOf, userPath } from "./UsersView.ts"

export interface UserView {
  readonly visitor: Visitor
  readonly user: ListedAccount
  readonly trail: ReadonlyArray<TrailEntry>
  /** Roles that claims of the identity provider lend, and for how long. */
  readonly claims: { readonly roles: ReadonlyArray<Role>; readonly lifetime: Duration.Duration }
  /** Refusal of what was to be done. */
  readonly problem?: Conflict
}

export const userBody = ({ claims, problem, trail, user, visitor }: UserView): Html =>
  html`<p><a href="/users">${text("users")}</a></p>
<div class="heading"><h1><bdi>${user.name}</bdi></h1><p>${standingOf(user)}</p></div>
${noticeOf(visitor.notice)}
${alert(problem)}
<dl class="facts">
<dt>${text("user.email")}</dt><dd><bdi>${user.email}</bdi></dd>
<dt>${text("user.username")}</dt><dd><bdi>${user.username}</bdi></dd>
<dt>${text("user.id")}</dt><dd><code>${user.id}</code></dd>
<dt>${text("user.account")}</dt><dd>${
    user.issuer === null
      ? text("user.account.local")
      : text("user.account.linked", { issuer: html`<code>${user.issuer}</code>` })
  }</dd>
<dt>${text("user.since")}</dt><dd>${dateText(user.createdAt, visitor.account)}</dd>
<dt>${text("user.apps")}</dt><dd><a href="/review?${
    new URLSearchParams({ state: "all", search: user.id }).toString()
  }">${text("user.apps.link", { name: nameOf(user) })}</a></dd>
</dl>
${roleForm(user, claims, visitor.account)}
${access(user, visitor)}
${auditTrail(trail, visitor, userActions)}`

/** Confirmation before a user gets another role. */
export const roleBody = (user: ListedAccount, role: Role, { account, viewer }: Visitor): Html =>
  confirmation({
    question: role === "user"
      ? text("user.role.down", { role: user.role, name: nameOf(user) })
      : text("user.role.to", { role, name: nameOf(user) }),
    consequences: html`<p>${text(`role.${role}.meaning`)} ${text("user.role.counts")}</p>${
      user.id === account.id ? html`<p>${text("user.role.own", { strong })}</p>` : nothing
    }`,
    action: `${userPath(user.id)}/role`,
    hidden: { role },
    ...Role.literals.indexOf(role) > Role.literals.indexOf(user.role)
      ? { button: text("user.role.make", { role }), tone: "primary" }
      : { button: text("user.role.change") },
    back: userPath(user.id),
    backLabel: text("form.cancel"),
    viewer
  })

/** Confirmation before a user is shut out. */
export const disableBody = (user: ListedAccount, grants: number, { viewer }: Visitor): Html =>
  confirmation({
    question: text("user.disable.question", { name: nameOf(user) }),
    consequences: html`<p>${text("user.disable.consequences", { count: grants })}</p>`,
    action: `${userPath(user.id)}/disable`,
    button: text("user.disable.button"),
    back: userPath(user.id),
    backLabel: text("form.cancel"),
    viewer
  })

/** Acts of which the page of a user tells. */
export const userActions: ReadonlyMap<string, Phrase> = new Map([
  ["account.created", text("user.trail.created")],
  ["account.role_changed", text("user.trail.role")],
  ["account.disabled", text("user.trail.disabled")],
  ["account.enabled", text("user.trail.enabled")],
  ["account.profile_changed", text("user.trail.profile")],
  ["account.password_changed", text("user.trail.password")]
])

const nameOf = ({ name }: ListedAccount): Html => html`<bdi>${name}</bdi>`

/** Provider's last word about a user, if it was that the user has a role. */
const claimed = ({ claimedRole, claimedUntil }: ListedAccount, reader: TimePreferences): Html =>
  claimedRole === null || claimedUntil === null
    ? nothing
    : text("user.claims.last", { role: claimedRole, until: dateText(claimedUntil, reader) })

const roleForm = (user: ListedAccount, claims: UserView["claims"], reader: TimePreferences): Html =>
  html`<section aria-labelledby="role">
<h2 id="role">${text("user.role")}</h2>
${
    user.issuer === null || claims.roles.length === 0
      ? nothing
      : notice(
        "note",
        html`<p>${
          text("user.claims", {
            roles: claims.roles.length > 1 ? "both" : claims.roles[0] ?? "both",
            name: nameOf(user),
            lifetime: durationText(claims.lifetime)
          })
        } ${claimed(user, reader)} ${text("user.claims.change")}</p>`
      )
  }
<form method="get" action="${userPath(user.id)}/role">
<fieldset>
<legend>${text("user.role.what", { name: nameOf(user) })}</legend>
${
    Role.literals.map((role) =>
      html`<label class="choice"><input type="radio" name="role" value="${role}"${
        role === user.role ? html` checked` : nothing
      }><span>${text(`role.${role}`)} <small class="muted">${text(`role.${role}.meaning`)}</small></span></label>`
    )
  }
</fieldset>
<button class="secondary">${text("user.role.button")}</button>
</form>
</section>`

const access = (user: ListedAccount, { viewer }: Visitor): Html =>
  html`<section aria-labelledby="access">
<h2 id="access">${text("user.access")}</h2>
${
    user.disabled
      ? html`<p>${text("user.access.disabled")}</p>
<form method="post" action="${userPath(user.id)}/enable">
${csrfField(viewer)}
<button class="secondary">${text("user.enable")}</button>
</form>`
      : html`<p>${text("user.access.open", { name: nameOf(user), link: link(`${userPath(user.id)}/disable`) })}</p>`
  }
</section>`
