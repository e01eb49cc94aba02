import { type DateTime, Redacted } from "effect"
import { csrfField } from "../accounts/Fields.ts"
import type { Visitor } from "../accounts/PageSession.ts"
import type { Credential } from "../domain/Credential.ts"
import { type Html, html } from "../http/Html.ts"
import { moment } from "../http/Time.ts"
import type { SecretInfo } from "../secrets/SecretVault.ts"
import type { ManagedClient } from "./Client.ts"
import { appPath } from "./Paths.ts"

export interface Credentials {
  readonly visitor: Visitor
  readonly client: ManagedClient
  readonly secrets: ReadonlyArray<SecretInfo>
}

/** The page that shows a secret, the only time. */
export const secretBody = (client: ManagedClient, secret: Credential, isFirst: boolean): Html =>
  html`<h1>${isFirst ? `${client.name} is registered` : `A new secret for ${client.name}`}</h1>
<p>This is the client secret. <strong>Copy it now and keep it safe: it is not shown again,</strong> and nobody can look it up.</p>
<p><code class="secret">${Redacted.value(secret)}</code></p>
<p>Client id: <code class="secret">${client.id}</code></p>
<p>${
    isFirst
      ? "An administrator reviews the app now. You will get a mail; until then it cannot be used."
      : "Let your app use this secret now. The old one works until you revoke it; “last used” tells when it has gone quiet."
  }</p>
<p><a href="${appPath(client.id)}" role="button">Go to the app</a></p>`

export const revokeBody = (visitor: Visitor, client: ManagedClient, secret: SecretInfo): Html =>
  html`<h1>Revoke a secret?</h1>
<p>The secret of <strong>${client.name}</strong> that ends in <code>…${secret.lastFour}</code> was ${
    lastUse(visitor, secret)
  }.</p>
<p>It stops working at once: whatever still sends it can neither exchange codes nor refresh tokens. Tokens that were issued stay valid.</p>
<form method="post" class="actions" action="${appPath(client.id)}/secrets/${secret.id}/revoke">
${csrfField(visitor.viewer)}
<button class="danger">Revoke …${secret.lastFour}</button>
<a href="${appPath(client.id)}">Keep it</a>
</form>`

/** The client id and the secrets of an app; `problem` is what was wrong with the last try to change them. */
export const credentials = ({ client, secrets, visitor }: Credentials, problem: Html): Html => {
  return html`<section aria-labelledby="credentials">
<h2 id="credentials">Credentials</h2>
<p>Client id: <code class="secret">${client.id}</code></p>
${
    client.kind === "public"
      ? html`<p>A public app has no secret: it proves itself with PKCE.</p>`
      : html`${problem}
<div class="overflow-auto"><table>
<thead><tr><th scope="col">Secret</th><th scope="col">Created</th><th scope="col">Last used</th><th scope="col">Revoke</th></tr></thead>
<tbody>
${
        secrets.map((secret) =>
          html`<tr>
<td><code>…${secret.lastFour}</code></td>
<td>${at(visitor, secret.createdAt)}</td>
<td>${secret.lastUsedAt === null ? "never" : at(visitor, secret.lastUsedAt)}</td>
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
</tbody></table></div>
${
        secrets.length < 2
          ? html`<form method="post" action="${appPath(client.id)}/secrets">${
            csrfField(visitor.viewer)
          }<button class="secondary">Generate a second secret</button></form>`
          : html`<p class="muted">Two secrets work now. When the old one is not used any more, revoke it.</p>`
      }`
  }
</section>`
}

const at = ({ account }: Visitor, instant: DateTime.Utc): Html => moment(instant, account.timeZone)

const lastUse = (visitor: Visitor, { lastUsedAt }: SecretInfo): Html =>
  lastUsedAt === null ? html`never used` : html`last used on ${at(visitor, lastUsedAt)}`
