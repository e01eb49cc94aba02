import { type DateTime, Redacted } from "effect"
import type { Account } from "../../core/accounts/people/Account.ts"
import type { ApiKey } from "../../core/accounts/people/ApiKey.ts"
import type { Credential } from "../../domain/Credential.ts"
import type { Fault } from "../../domain/Input.ts"
import type { TimePreferences } from "../../domain/InstantText.ts"
import { confirmation } from "../../foundation/web/Confirmation.ts"
import { copyField } from "../../foundation/web/CopyField.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { alert, csrfField, field, select } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"
import type { RefusedForm } from "./RefusedForm.ts"

export interface ApiKeysView {
  readonly account: Account
  readonly viewer: Viewer
  readonly keys: ReadonlyArray<ApiKey>
  readonly now: DateTime.Utc
  readonly refused: RefusedForm | undefined
}

/** Keys of the user, and the form for another one. */
export const apiKeysSection = (view: ApiKeysView): Html => {
  const { keys, refused, viewer } = view
  const form = refused?.form === "api-keys" ? refused : undefined
  const faults = form?.problem.details ?? []
  const dateFaults = faults.filter(({ path }) => path === "expiresAt").map((fault) => ({ ...fault, path: ownDate }))
  return html`<section id="api-keys">
<h2>API keys</h2>
<p>With an API key a script uses the management API as you. A key is shown once.</p>
${keys.length === 0 ? nothing : keysTable(view)}
${alert(form?.problem)}
<form method="post" action="/account/api-keys" novalidate>
${csrfField(viewer)}
${nameField(form?.entered?.get("name") ?? "", faults.find(({ path }) => path === "name"))}
<div class="choices">
<div>${select({ name: "ends", label: "It ends", options: ends, value: form?.entered?.get("ends") ?? defaultEnd })}</div>
<div>${
    field({
      name: ownDate,
      label: "The day",
      type: "date",
      value: form?.entered?.get(ownDate) ?? "",
      hint: "Only for “on a day that I choose”: the key works until the end of that day.",
      required: false
    }, dateFaults)
  }</div>
</div>
<p class="muted">You get a mail a week before.</p>
<button>Create an API key</button>
</form>
</section>`
}

export const newKeyBody = (info: ApiKey, key: Credential, reader: TimePreferences): Html =>
  html`<h1>New API key</h1>
<p>This is the key <strong>${info.name}</strong>${
    info.expiresAt === null ? nothing : html`, which works until ${dateText(info.expiresAt, reader)}`
  }. Copy it now: it is not shown again, and nobody can look it up.</p>
<p>${copyField("the API key", Redacted.value(key))}</p>
<p>Scripts send it as <code>Authorization: Bearer …</code> and act as you in the management API.</p>
<p><a href="/account">Back to your account</a></p>`

export const revokeKeyBody = ({ id, lastFour, name }: ApiKey, viewer: Viewer): Html =>
  confirmation({
    question: html`Revoke <bdi>${name}</bdi>?`,
    consequences: html`<p>What still uses the API key that ends in <code>…${lastFour}</code> is refused at once.</p>`,
    action: "/account/api-keys/revoke",
    hidden: { id },
    button: "Revoke the key",
    back: "/account",
    viewer
  })

/** Choice, and the field, of a day instead of a number of days. */
export const ownDate = "date"

/** Days that are chosen at first. */
export const defaultEnd = "90"

const ends = [
  ["30", "in 30 days"],
  [defaultEnd, "in 90 days"],
  ["365", "in a year"],
  [ownDate, "on a day that I choose"]
] as const

// With an id of its own, because the profile form on the same page has a field `name` as well.
const nameField = (value: string, fault: Fault | undefined): Html =>
  html`<label for="key-name">${nameLabel}</label>
<input id="key-name" name="name" value="${value}" required autocomplete="off" maxlength="100"${
    fault === undefined ? nothing : html` aria-invalid="true" aria-describedby="key-name-note"`
  }>
${fault === undefined ? nothing : html`<small id="key-name-note" class="error">${nameLabel} ${fault.message}.</small>`}`

const nameLabel = "What the new key is for"

const keysTable = ({ account, keys, now }: ApiKeysView): Html =>
  html`<div class="overflow-auto"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Last characters</th><th scope="col">Created</th><th scope="col">Last used</th><th scope="col">Ends</th><th scope="col">Revoke</th></tr></thead>
<tbody>
${
    keys.map((key) =>
      html`<tr>
<td class="free">${key.name}</td>
<td data-label="Last characters"><code>…${key.lastFour}</code></td>
<td data-label="Created">${dateText(key.createdAt, account)}</td>
<td data-label="Last used">${key.lastUsedAt === null ? "never" : dateText(key.lastUsedAt, account)}</td>
<td data-label="Ends">${endText(key, account, now)}</td>
<td><a href="/account/api-keys/revoke?id=${key.id}" aria-label="Revoke ${key.name}">Revoke</a></td>
</tr>`
    )
  }
</tbody>
</table></div>`

const endText = (key: ApiKey, reader: TimePreferences, now: DateTime.Utc): Html | string =>
  key.expiresAt === null
    ? "never"
    : html`${key.isLive(now) ? nothing : html`<strong>ended</strong> `}${dateText(key.expiresAt, reader)}`
