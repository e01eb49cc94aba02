import { type DateTime, Redacted } from "effect"
import type { Account } from "../../core/accounts/people/Account.ts"
import type { ApiKey } from "../../core/accounts/people/ApiKey.ts"
import type { Credential } from "../../domain/Credential.ts"
import type { TimePreferences } from "../../domain/InstantText.ts"
import { confirmation } from "../../foundation/web/Confirmation.ts"
import { copyField } from "../../foundation/web/CopyField.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { endFields } from "../../foundation/web/EndChoice.ts"
import { alert, csrfField, field } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"
import { strong, text } from "../../foundation/web/Message.ts"
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
  return html`<section id="api-keys">
<h2 id="api-keys-title">${text("apiKeys")}</h2>
<p>${text("apiKeys.about")}</p>
${keys.length === 0 ? nothing : keysTable(view)}
${alert(form?.problem)}
<form method="post" action="/account/api-keys" novalidate>
${csrfField(viewer)}
${
    field({
      name: "name",
      // The profile on the same page has a field of this name as well.
      id: "key-name",
      label: text("apiKeys.name.choice"),
      value: form?.entered?.get("name") ?? ""
    }, faults)
  }
${
    endFields({
      entered: form?.entered,
      faults,
      path: "expiresAt",
      first: defaultEnd,
      mayBeEndless: false,
      hint: text("apiKeys.day.hint")
    })
  }
<p class="muted">${text("apiKeys.mail")}</p>
<button>${text("apiKeys.create")}</button>
</form>
</section>`
}

export const newKeyBody = (info: ApiKey, key: Credential, reader: TimePreferences): Html =>
  html`<h1>${text("apiKeys.new")}</h1>
<p>${
    info.expiresAt === null
      ? text("apiKeys.new.endless", { name: html`<bdi>${info.name}</bdi>`, strong })
      : text("apiKeys.new.ending", {
        name: html`<bdi>${info.name}</bdi>`,
        end: dateText(info.expiresAt, reader),
        strong
      })
  }</p>
<p>${copyField(text("apiKeys.new.key"), Redacted.value(key))}</p>
<p>${text("apiKeys.new.use", { header: html`<code>Authorization: Bearer …</code>` })}</p>
<p><a href="/account">${text("account.back")}</a></p>`

export const revokeKeyBody = ({ id, lastFour, name }: ApiKey, viewer: Viewer): Html =>
  confirmation({
    question: text("apiKeys.revoke.question", { name: html`<bdi>${name}</bdi>` }),
    consequences: html`<p>${text("apiKeys.revoke.consequences", { lastFour: html`<code>…${lastFour}</code>` })}</p>`,
    action: "/account/api-keys/revoke",
    hidden: { id },
    button: text("apiKeys.revoke.button"),
    back: "/account",
    viewer
  })

/** Days that are chosen at first. */
export const defaultEnd = "90"

const keysTable = ({ account, keys, now }: ApiKeysView): Html =>
  html`<div class="overflow-auto"><table aria-labelledby="api-keys-title">
<thead><tr><th scope="col">${text("apiKeys.name")}</th><th scope="col">${
    text("apiKeys.lastFour")
  }</th><th scope="col">${text("apiKeys.created")}</th><th scope="col">${
    text("apiKeys.lastUsed")
  }</th><th scope="col">${text("apiKeys.ends")}</th><th scope="col">${text("apiKeys.revoke")}</th></tr></thead>
<tbody>
${
    keys.map((key) =>
      html`<tr>
<td class="free"><bdi>${key.name}</bdi></td>
<td data-label="${text("apiKeys.lastFour")}"><code>…${key.lastFour}</code></td>
<td data-label="${text("apiKeys.created")}">${dateText(key.createdAt, account)}</td>
<td data-label="${text("apiKeys.lastUsed")}">${
        key.lastUsedAt === null ? text("apiKeys.lastUsed.never") : dateText(key.lastUsedAt, account)
      }</td>
<td data-label="${text("apiKeys.ends")}">${endText(key, account, now)}</td>
<td><a href="/account/api-keys/revoke?id=${key.id}" aria-label="${text("apiKeys.revoke.one", { name: key.name })}">${
        text("apiKeys.revoke")
      }</a></td>
</tr>`
    )
  }
</tbody>
</table></div>`

const endText = (key: ApiKey, reader: TimePreferences, now: DateTime.Utc): Phrase => {
  if (key.expiresAt === null) return text("apiKeys.ends.never")
  const at = dateText(key.expiresAt, reader)
  return key.isLive(now) ? at : text("apiKeys.ended", { at, strong })
}
