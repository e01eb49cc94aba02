import { DateTime, Redacted } from "effect"
import { type Account, weekDays } from "../../core/accounts/Account.ts"
import type { ApiKey } from "../../core/accounts/ApiKey.ts"
import { minLength } from "../../core/accounts/Passwords.ts"
import type { BadRequest, Conflict, NotFound } from "../../domain/ApiError.ts"
import type { Credential } from "../../domain/Credential.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { confirmation } from "../../foundation/web/Confirmation.ts"
import { copyField } from "../../foundation/web/CopyField.ts"
import { alert, csrfField, field, select } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"

export interface AccountView {
  readonly account: Account
  readonly viewer: Viewer
  readonly isLocal: boolean
  readonly keys: ReadonlyArray<ApiKey>
  readonly notice?: string | undefined
  /** The problem of a refused form, with the fields that it sent. */
  readonly problem?: BadRequest | Conflict | NotFound
  readonly form?: "profile" | "password" | "api-keys"
  readonly entered?: Parameters
}

/** The notices after a form was accepted, by the value of `done` in the page's query. */
export const notices: ReadonlyMap<string, string> = new Map([
  ["profile", "Your profile is saved."],
  ["password", "Your password is changed, and you were signed out everywhere else."],
  [
    "password-and-keys",
    "Your password is changed, your API keys are revoked, and you were signed out everywhere else."
  ],
  ["api-key", "The API key is revoked."]
])

export const accountBody = (view: AccountView): Html =>
  html`<h1>Account</h1>
${view.notice === undefined ? nothing : html`<p class="notice" role="status">${view.notice}</p>`}
<p>Signed in as <strong>${view.account.email}</strong>${view.account.isAdmin ? ", administrator" : ""}.</p>
<ul>
<li><a href="/settings/apps">My apps</a>: register apps and manage their secrets</li>
<li><a href="/connections">Connected apps</a>: see and end what apps may do for you</li>
</ul>
${view.isLocal ? profileForm(view) : html`<p>Your profile and your password are kept by the platform.</p>`}
${view.isLocal ? passwordForm(view) : nothing}
${apiKeysSection(view)}`

export const newKeyBody = (info: ApiKey, key: Credential): Html =>
  html`<h1>New API key</h1>
<p>This is the key <strong>${info.name}</strong>. Copy it now: it is not shown again, and nobody can look it up.</p>
<p>${copyField("the API key", Redacted.value(key))}</p>
<p>Scripts send it as <code>Authorization: Bearer …</code> and act as you in the management API.</p>
<p><a href="/account">Back to your account</a></p>`

/** The confirmation before a key is revoked. */
export const revokeKeyBody = ({ id, lastFour, name }: ApiKey, viewer: Viewer): Html =>
  confirmation({
    question: `Revoke ${name}?`,
    consequences: html`<p>What still uses the API key that ends in <code>…${lastFour}</code> is refused at once.</p>`,
    action: "/account/api-keys/revoke",
    hidden: { id },
    button: "Revoke the key",
    back: "/account",
    viewer
  })

const problemOf = ({ form, problem }: AccountView, of: AccountView["form"]) => form === of ? problem : undefined

const profileForm = (view: AccountView): Html => {
  const { account, viewer } = view
  const problem = problemOf(view, "profile")
  const value = (name: string, current: string) => problem === undefined ? current : view.entered?.get(name) ?? ""
  const faults = problem?.details
  return html`<section>
<h2>Profile</h2>
${alert(problem?.message)}
<form method="post" action="/account/profile">
${csrfField(viewer)}
${field({ name: "name", label: "Name", value: value("name", account.name), autocomplete: "name" }, faults)}
${field({ name: "username", label: "User name", value: value("username", account.username) }, faults)}
${field({ name: "bio", label: "About you", value: value("bio", account.bio ?? ""), required: false }, faults)}
${
    field({
      name: "timeZone",
      label: "Time zone",
      value: value("timeZone", account.timeZone),
      hint: "As in Europe/Berlin"
    }, faults)
  }
${
    select({
      name: "timeFormat",
      label: "Time format",
      options: [["12", "12 hours"], ["24", "24 hours"]],
      value: value("timeFormat", String(account.timeFormat))
    })
  }
${
    select({
      name: "weekStart",
      label: "The week starts on",
      options: weekDays.map((day) => [day, day] as const),
      value: value("weekStart", account.weekStart)
    })
  }
<button>Save the profile</button>
</form>
</section>`
}

const passwordForm = (view: AccountView): Html => {
  const problem = problemOf(view, "password")
  const faults = problem?.details
  const password = (name: string, label: string, autocomplete: string, hint?: string) =>
    field({ name, label, type: "password", autocomplete, ...(hint === undefined ? {} : { hint }) }, faults)
  return html`<section>
<h2>Password</h2>
${alert(problem?.message)}
<form method="post" action="/account/password">
${csrfField(view.viewer)}
${password("current", "Your current password", "current-password")}
${password("password", "The new password", "new-password", `At least ${minLength} characters.`)}
${password("repeated", "The new password again", "new-password")}
${
    view.keys.length === 0
      ? nothing
      : html`<label><input type="checkbox" name="keys" checked> Revoke my API keys (${view.keys.length}), too</label>`
  }
<button>Change the password</button>
</form>
</section>`
}

const apiKeysSection = (view: AccountView): Html => {
  const problem = problemOf(view, "api-keys")
  return html`<section>
<h2>API keys</h2>
<p>With an API key a script uses the management API as you. A key is shown once.</p>
${view.keys.length === 0 ? nothing : keysTable(view)}
${alert(problem?.message)}
<form method="post" action="/account/api-keys">
${csrfField(view.viewer)}
${keyNameField(problem)}
<button>Create an API key</button>
</form>
</section>`
}

// With an id of its own, because the profile form on the same page has a field `name` as well.
const keyNameField = (problem: AccountView["problem"]): Html =>
  html`<label for="key-name">What the new key is for</label>
<input id="key-name" name="name" required autocomplete="off" maxlength="100"${
    problem === undefined ? nothing : html` aria-invalid="true"`
  }>`

const keysTable = ({ keys }: AccountView): Html =>
  html`<div class="overflow-auto"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Ends in</th><th scope="col">Created</th><th scope="col">Last used</th><th scope="col">Revoke</th></tr></thead>
<tbody>
${
    keys.map((key) =>
      html`<tr>
<td>${key.name}</td>
<td><code>…${key.lastFour}</code></td>
<td>${day(key.createdAt)}</td>
<td>${key.lastUsedAt === null ? "never" : day(key.lastUsedAt)}</td>
<td><a href="/account/api-keys/revoke?id=${key.id}" aria-label="Revoke ${key.name}">Revoke</a></td>
</tr>`
    )
  }
</tbody>
</table></div>`

const day = (at: DateTime.Utc): string => DateTime.formatIsoDateUtc(at)
