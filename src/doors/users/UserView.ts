import type { Duration } from "effect"
import { type ListedAccount, Role, roleLabels } from "../../core/accounts/people/Account.ts"
import type { Conflict } from "../../domain/ApiError.ts"
import { counted } from "../../domain/Counted.ts"
import type { TimePreferences } from "../../domain/InstantText.ts"
import { confirmation } from "../../foundation/web/Confirmation.ts"
import { dateText, durationText } from "../../foundation/web/DateText.ts"
import { alert, csrfField, noticeOf } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { auditTrail, type TrailEntry } from "../parts/AuditTrailView.ts"
import type { Visitor } from "../session/PageSession.ts"
import { roleTitles, standingOf, userPath } from "./UsersView.ts"

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
  html`<p><a href="/users">Users</a></p>
<div class="heading"><h1>${user.name}</h1><p>${standingOf(user)}</p></div>
${noticeOf(visitor.notice)}
${alert(problem)}
<dl class="facts">
<dt>E-mail address</dt><dd>${user.email}</dd>
<dt>User name</dt><dd>${user.username}</dd>
<dt>Id</dt><dd><code>${user.id}</code></dd>
<dt>Account</dt><dd>${
    user.issuer === null
      ? "local: with a password of this server"
      : html`linked: signs in at <code>${user.issuer}</code>`
  }</dd>
<dt>Since</dt><dd>${dateText(user.createdAt, visitor.account)}</dd>
<dt>Apps</dt><dd><a href="/review?${
    new URLSearchParams({ state: "all", search: user.id }).toString()
  }">Those that they own</a></dd>
</dl>
${roleForm(user, claims, visitor.account)}
${access(user, visitor)}
${auditTrail(trail, visitor, userActions)}`

/** Confirmation before a user gets another role. */
export const roleBody = (user: ListedAccount, role: Role, { account, viewer }: Visitor): Html =>
  confirmation({
    question: role === "user"
      ? html`Take the role of ${roleLabels[user.role]} from <bdi>${user.name}</bdi>?`
      : html`Make <bdi>${user.name}</bdi> ${withArticle(role)}?`,
    consequences: html`<p>${
      roleMeanings[role]
    } The change counts from the next request on, for open pages and API keys, too.</p>${
      user.id === account.id
        ? html`<p><strong>This is your own account:</strong> another administrator would have to give you the role back.</p>`
        : nothing
    }`,
    action: `${userPath(user.id)}/role`,
    hidden: { role },
    ...Role.literals.indexOf(role) > Role.literals.indexOf(user.role)
      ? { button: `Make them ${withArticle(role)}`, tone: "primary" }
      : { button: "Change the role" },
    back: userPath(user.id),
    backLabel: "Cancel",
    viewer
  })

/** Confirmation before a user is shut out. */
export const disableBody = (user: ListedAccount, grants: number, { viewer }: Visitor): Html =>
  confirmation({
    question: html`Disable <bdi>${user.name}</bdi>?`,
    consequences:
      html`<p>They are signed out everywhere and cannot sign in, and their API keys are refused until the account is enabled again. ${
        grants === 0
          ? "No app acts for them."
          : html`What apps may do for them ends at once (${
            counted(grants, "grant")
          }), and enabling the account brings none of it back.`
      } Apps that they own go on working.</p>`,
    action: `${userPath(user.id)}/disable`,
    button: "Disable the account",
    back: userPath(user.id),
    backLabel: "Cancel",
    viewer
  })

/** Acts of which the page of a user tells. */
export const userActions: ReadonlyMap<string, string> = new Map([
  ["account.created", "made the account"],
  ["account.role_changed", "changed the role"],
  ["account.disabled", "disabled the account"],
  ["account.enabled", "enabled the account"],
  ["account.profile_changed", "changed the profile"],
  ["account.password_changed", "changed the password"]
])

const withArticle = (role: Role): string => `${role === "admin" ? "an" : "a"} ${roleLabels[role]}`

const roleMeanings: Readonly<Record<Role, string>> = {
  user: "A user registers apps, and connects those of others.",
  reviewer: "A reviewer decides about the apps of others as well.",
  admin:
    "An administrator does all that there is to do here: decides about apps, appoints others, writes to all owners."
}

/** Provider's last word about a user, if it was that the user has a role. */
const claimed = ({ claimedRole, claimedUntil, role }: ListedAccount, reader: TimePreferences): Html =>
  claimedRole === null || claimedUntil === null
    ? nothing
    : html` By its last word they ${role === claimedRole ? "are" : "were"} ${withArticle(claimedRole)} until ${
      dateText(claimedUntil, reader)
    }.`

const roleForm = (user: ListedAccount, claims: UserView["claims"], reader: TimePreferences): Html =>
  html`<section aria-labelledby="role">
<h2 id="role">Role</h2>
${
    user.issuer === null || claims.roles.length === 0
      ? nothing
      : html`<p class="notice">The provider says at each sign-in whether <bdi>${user.name}</bdi> is ${
        claims.roles.map(withArticle).join(" or ")
      }: its yes counts for ${durationText(claims.lifetime)}, above the role that you set here.${
        claimed(user, reader)
      } To end that for good, change it at the provider.</p>`
  }
<form method="get" action="${userPath(user.id)}/role">
<fieldset>
<legend>What may <bdi>${user.name}</bdi> do?</legend>
${
    Role.literals.map((role) =>
      html`<label class="choice"><input type="radio" name="role" value="${role}"${
        role === user.role ? html` checked` : nothing
      }><span>${roleTitles[role]} <small class="muted">${roleMeanings[role]}</small></span></label>`
    )
  }
</fieldset>
<button class="secondary">Change the role…</button>
</form>
</section>`

const access = (user: ListedAccount, { viewer }: Visitor): Html =>
  html`<section aria-labelledby="access">
<h2 id="access">Access</h2>
${
    user.disabled
      ? html`<p>The account is disabled: nobody can sign in to it, and its API keys are refused. Enabling it makes them work again.</p>
<form method="post" action="${userPath(user.id)}/enable">
${csrfField(viewer)}
<button class="secondary">Enable the account</button>
</form>`
      : html`<p>The account can be used. <a href="${
        userPath(user.id)
      }/disable">Disable <bdi>${user.name}</bdi>…</a></p>`
  }
</section>`
