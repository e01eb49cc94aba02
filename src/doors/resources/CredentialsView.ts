import { Redacted } from "effect"
import type { Resource } from "../../core/resources/Resource.ts"
import type { ResourceServer } from "../../core/tokens/ResourceServers.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import type { Credential } from "../../domain/Credential.ts"
import { confirmation } from "../../foundation/web/Confirmation.ts"
import { codeBlock, copyField } from "../../foundation/web/CopyField.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { alert, csrfField, field } from "../../foundation/web/FormFields.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import { strong, text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import type { Visitor } from "../session/PageSession.ts"
import { resourcePath } from "./ResourcesView.ts"

interface CredentialsView {
  readonly visitor: Visitor
  readonly resource: Resource
  readonly credentials: ReadonlyArray<ResourceServer>
  readonly problem?: BadRequest | Conflict | undefined
  readonly entered?: string | undefined
}

/** Programs that may ask about the tokens of a resource, and the form for another. */
export const credentialsSection = (view: CredentialsView): Html => {
  const { credentials, entered, problem, resource, visitor } = view
  return html`<section aria-labelledby="credentials">
<h2 id="credentials">${text("resource.credentials")}</h2>
<p>${text("resource.credentials.about")}</p>
${credentials.length === 0 ? html`<p class="empty">${text("resource.credentials.none")}</p>` : table(view)}
${alert(problem)}
<form method="post" action="${resourcePath(resource.id)}/credentials" novalidate>
${csrfField(visitor.viewer)}
${
    field({
      name: "name",
      label: text("resource.credential.name"),
      value: entered ?? "",
      hint: text("resource.credential.name.hint")
    }, problem?.details)
  }
<button class="secondary">${text("resource.credential.create")}</button>
</form>
</section>`
}

/** Page that shows a new credential, the only time that it is shown. */
export const newCredentialBody = (resource: Resource, credential: Credential, address: string): Html =>
  html`<div class="focus">
<h1>${text("resource.credential.new", { name: html`<bdi>${resource.name}</bdi>` })}</h1>
${
    notice(
      "warning",
      html`<p>${text("resource.credential.shownOnce", { strong })}</p>
<p>${copyField(text("resource.credential"), Redacted.value(credential))}</p>`
    )
  }
<p>${text("resource.credential.env")}</p>
${
    codeBlock(
      text("env.name"),
      [
        `SLOTKEY_URL=${address}`,
        `SLOTKEY_CREDENTIAL=${Redacted.value(credential)}`,
        `SLOTKEY_RESOURCE=${resource.identifier}`
      ].join("\n")
    )
  }
<p><a href="${resourcePath(resource.id)}" class="button">${text("resource.credential.done")}</a></p>
</div>`

/** Asks before a program can ask no more. */
export const revokeBody = (resource: Resource, { id, lastFour, name }: ResourceServer, { viewer }: Visitor): Html =>
  confirmation({
    question: text("resource.credential.revoke.question", { name: html`<bdi>${name}</bdi>` }),
    consequences: html`<p>${
      text("resource.credential.revoke.consequences", { lastFour: html`<code>…${lastFour}</code>` })
    }</p>`,
    action: `${resourcePath(resource.id)}/credentials/${encodeURIComponent(id)}/revoke`,
    button: text("resource.credential.revoke.button"),
    back: resourcePath(resource.id),
    viewer
  })

const table = ({ credentials, resource, visitor }: CredentialsView): Html =>
  html`<div class="overflow-auto"><table aria-labelledby="credentials">
<thead><tr><th scope="col">${text("resource.credential.name")}</th><th scope="col">${
    text("resource.credential.lastFour")
  }</th><th scope="col">${text("resource.credential.created")}</th><th scope="col">${
    text("resource.credential.revoke")
  }</th></tr></thead>
<tbody>
${
    credentials.map(({ createdAt, id, lastFour, name }) =>
      html`<tr>
<td class="free"><bdi>${name}</bdi></td>
<td data-label="${text("resource.credential.lastFour")}"><code>…${lastFour}</code></td>
<td data-label="${text("resource.credential.created")}">${dateText(createdAt, visitor.account)}</td>
<td><a href="${resourcePath(resource.id)}/credentials/${encodeURIComponent(id)}/revoke" aria-label="${
        text("resource.credential.revoke.one", { name })
      }">${text("resource.credential.revoke")}</a></td>
</tr>`
    )
  }
</tbody></table></div>`
