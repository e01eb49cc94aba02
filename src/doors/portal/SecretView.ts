import { DateTime, Duration, Redacted } from "effect"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { SecretInfo } from "../../core/clients/secrets/SecretInfo.ts"
import type { Credential } from "../../domain/Credential.ts"
import { confirmation } from "../../foundation/web/Confirmation.ts"
import { copyField } from "../../foundation/web/CopyField.ts"
import { age, dateText } from "../../foundation/web/DateText.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { appPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"

export interface CredentialsView {
  readonly visitor: Visitor
  readonly client: ManagedClient
  /** Oldest first. */
  readonly secrets: ReadonlyArray<SecretInfo>
  readonly now: DateTime.Utc
}

/** Page that shows a new secret, the only time that it is shown. */
export const secretBody = (client: ManagedClient, secret: Credential, isFirst: boolean): Html =>
  html`<div class="focus">
<h1>${isFirst ? `${client.name} is registered` : `A new secret for ${client.name}`}</h1>
<div class="notice"><p>This is the client secret. <strong>Copy it now and keep it safe: it is not shown again,</strong> and nobody can look it up.</p>
<p>${copyField("the client secret", Redacted.value(secret))}</p></div>
<p>Client id: ${copyField("the client id", client.id)}</p>
<p>${
    isFirst
      ? "An administrator reviews the app now. You will get a mail; until then it cannot be used."
      : "Let your app use this secret now. The old one works until you revoke it; “last used” tells when it has gone quiet."
  }</p>
<p><a href="${appPath(client.id)}" class="button">Go to the app</a></p>
</div>`

export const revokeBody = (view: CredentialsView, secret: SecretInfo): Html =>
  confirmation({
    question: "Revoke a secret?",
    consequences:
      html`<p>The secret of <strong>${view.client.name}</strong> that ends in <code>…${secret.lastFour}</code> was ${
        lastUse(view, secret)
      }.</p>
${isBusy(view, secret) ? html`<p class="notice">${busy}</p>` : nothing}
<p>It stops working at once: whatever still sends it can neither exchange codes nor refresh tokens. Tokens that were issued stay valid.</p>`,
    action: `${appPath(view.client.id)}/secrets/${secret.id}/revoke`,
    button: `Revoke …${secret.lastFour}`,
    back: appPath(view.client.id),
    viewer: view.visitor.viewer
  })

/** Client id and the secrets of an app; `problem` tells why the last change of them failed. */
export const credentials = (view: CredentialsView, problem: Html): Html =>
  html`<section aria-labelledby="credentials">
<h2 id="credentials">Credentials</h2>
<p>Client id: ${copyField("the client id", view.client.id)}</p>
${
    view.client.kind === "public"
      ? html`<p>A public app has no secret: it proves itself with PKCE.</p>`
      : html`${problem}
${secretsTable(view)}
<h3>Change the secret without downtime</h3>
${rotation(view)}`
  }
</section>`

const secretsTable = ({ client, secrets, visitor }: CredentialsView): Html =>
  html`<div class="overflow-auto"><table>
<thead><tr><th scope="col">Secret</th><th scope="col">Created</th><th scope="col">Last used</th><th scope="col">Revoke</th></tr></thead>
<tbody>
${
    secrets.map((secret) =>
      html`<tr>
<td><code>…${secret.lastFour}</code></td>
<td data-label="Created">${at(visitor, secret.createdAt)}</td>
<td data-label="Last used">${secret.lastUsedAt === null ? "never" : at(visitor, secret.lastUsedAt)}</td>
<td>${
        secrets.length > 1
          ? html`<a href="${
            appPath(client.id)
          }/secrets/${secret.id}/revoke" aria-label="Revoke …${secret.lastFour}">Revoke</a>`
          : html`<span class="muted">the last one stays</span>`
      }</td>
</tr>`
    )
  }
</tbody></table></div>`

/** Three steps of a rotation (specification §5.5), with the current one marked. */
const rotation = (view: CredentialsView): Html => {
  const [old, young] = view.secrets
  return html`<ol class="steps">
${
    old === undefined || young === undefined
      ? html`<li aria-current="step"><h4>Generate a second secret</h4>
<p>Both work from then on, so nothing breaks. It is shown once.</p>
<form method="post" action="${appPath(view.client.id)}/secrets">${
        csrfField(view.visitor.viewer)
      }<button class="secondary">Generate a second secret</button></form></li>
<li><h4>Switch your app over</h4><p>Until “last used” tells that the old one has gone quiet.</p></li>
<li><h4>Revoke the old one</h4><p>It stops working at once; tokens that were issued stay valid.</p></li>`
      : html`<li class="done"><h4>Generate a second secret</h4><p>Done: two secrets work now.</p></li>
${switchOver(view, old, young)}`
  }
</ol>`
}

const switchOver = (view: CredentialsView, old: SecretInfo, young: SecretInfo): Html => {
  const isQuiet = young.lastUsedAt !== null && !isBusy(view, old)
  return html`<li class="${isQuiet ? "done" : ""}"${
    isQuiet ? nothing : html` aria-current="step"`
  }><h4>Switch your app over to …${young.lastFour}</h4>
<p>${
    young.lastUsedAt === null
      ? html`The new secret was not used yet.`
      : html`The new secret was used ${age(young.lastUsedAt, view.now)} ago.`
  } ${
    old.lastUsedAt === null
      ? html`The old one, …${old.lastFour}, was never used.`
      : html`The old one, …${old.lastFour}, was last used <strong>${age(old.lastUsedAt, view.now)} ago</strong>.`
  }</p></li>
<li${isQuiet ? html` aria-current="step"` : nothing}><h4>Revoke the old one</h4>
<p>${isQuiet ? "It has gone quiet." : "Wait until it has gone quiet: what still sends it stops working at once."}</p>
<p><a href="${appPath(view.client.id)}/secrets/${old.id}/revoke" class="button ${
    isQuiet ? "danger" : "secondary"
  }">Revoke …${old.lastFour} now</a></p></li>`
}

/** True when the secret was used within the last hour, or the other one never: revoking it would break something. */
const isBusy = ({ now, secrets }: CredentialsView, { id, lastUsedAt }: SecretInfo): boolean => {
  if (lastUsedAt === null) return false
  const other = secrets.find((secret) => secret.id !== id)
  return DateTime.isGreaterThan(lastUsedAt, DateTime.subtractDuration(now, Duration.hours(1))) ||
    (other?.lastUsedAt ?? null) === null
}

const busy = "Your app still uses this secret, or does not use the other one yet. Revoking it now breaks the app."

const at = ({ account }: Visitor, instant: DateTime.Utc): Html => dateText(instant, account)

const lastUse = ({ visitor }: CredentialsView, { lastUsedAt }: SecretInfo): Html =>
  lastUsedAt === null ? html`never used` : html`last used on ${at(visitor, lastUsedAt)}`
