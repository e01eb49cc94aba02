import { DateTime, Duration, Redacted } from "effect"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { SecretInfo } from "../../core/clients/secrets/SecretInfo.ts"
import type { Credential } from "../../domain/Credential.ts"
import { confirmation } from "../../foundation/web/Confirmation.ts"
import { copyField } from "../../foundation/web/CopyField.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { code, link, strong, text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import { appPath, type AppTab, appTabPath, ownersPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"
import { type EndForm, endOf, endText, newEnd, sealedNotice, secretPath } from "./SecretEndView.ts"

export interface CredentialsView {
  readonly visitor: Visitor
  readonly client: ManagedClient
  /** Oldest first. */
  readonly secrets: ReadonlyArray<SecretInfo>
  readonly now: DateTime.Utc
  /** False for a developer of the app, whose page has no form for its secrets. */
  readonly maySecrets: boolean
  /** Form for another secret as it was sent. */
  readonly form?: EndForm
}

/** Page that shows a new secret, the only time that it is shown. */
/** Page that shows a new secret, the only time that it is shown; `env` is the block with all values (`EnvBlock`). */
export const secretBody = (client: ManagedClient, secret: Credential, isFirst: boolean, env: Html): Html =>
  isFirst
    ? shownOnce(client, secret, {
      heading: text("secret.registered", { app: html`<bdi>${client.name}</bdi>` }),
      next: text("secret.registered.next"),
      env,
      tab: "overview"
    })
    : shownOnce(client, secret, {
      heading: text("secret.new", { app: html`<bdi>${client.name}</bdi>` }),
      next: text("secret.new.next"),
      env,
      tab: "credentials"
    })

/** Same for one that replaced a leaked secret. */
export const revealedBody = (client: ManagedClient, secret: Credential, env: Html): Html =>
  shownOnce(client, secret, {
    heading: text("secret.new", { app: html`<bdi>${client.name}</bdi>` }),
    next: text("secretReveal.next"),
    env,
    tab: "credentials"
  })

interface Around {
  readonly heading: Phrase
  readonly next: Phrase
  readonly env: Html
  /** Tab to which the page leads back. */
  readonly tab: AppTab
}

const shownOnce = (client: ManagedClient, secret: Credential, { env, heading, next, tab }: Around): Html =>
  html`<div class="focus">
<h1>${heading}</h1>
${
    notice(
      "warning",
      html`<p>${text("secret.shownOnce", { strong })}</p>
<p>${copyField(text("secret.name"), Redacted.value(secret))}</p>`
    )
  }
<p>${text("env.withSecret")}</p>
${env}
<p>${next}</p>
<p><a href="${appTabPath(client.id, tab)}" class="button">${text("secret.toApp")}</a></p>
</div>`

/** Client ID with its label. */
const clientId = ({ id }: ManagedClient): Html =>
  text("credentials.clientId", { id: copyField(text("credentials.clientId.name"), id) })

export const revokeBody = (view: CredentialsView, secret: SecretInfo): Html => {
  const name = html`<strong><bdi>${view.client.name}</bdi></strong>`
  return confirmation({
    question: text("secret.revoke.question"),
    consequences: html`<p>${
      secret.lastUsedAt === null
        ? text("secret.revoke.neverUsed", { app: name, secret: endOf(secret), code })
        : text("secret.revoke.lastUsed", {
          app: name,
          secret: endOf(secret),
          code,
          at: at(view.visitor, secret.lastUsedAt)
        })
    }</p>
${isBusy(view, secret) ? notice("warning", html`<p>${text("secret.revoke.busy")}</p>`) : nothing}
<p>${text("secret.revoke.consequences")}</p>`,
    action: `${appPath(view.client.id)}/secrets/${secret.id}/revoke`,
    button: text("secret.revoke.button", { secret: endOf(secret) }),
    back: appTabPath(view.client.id, "credentials"),
    viewer: view.visitor.viewer
  })
}

/** Client ID and the secrets of an app; `problem` tells why the last change of them failed. */
export const credentials = (view: CredentialsView, problem: Html): Html =>
  html`<section aria-labelledby="credentials">
<h2 id="credentials">${text("credentials")}</h2>
<p>${clientId(view.client)}</p>
${
    view.client.kind === "public"
      ? html`<p>${text("credentials.public")}</p>`
      : !view.maySecrets
      ? html`<p>${text("owners.secretsHidden", { link: link(ownersPath(view.client.id)) })}</p>
${secretsTable(view)}`
      : html`${problem}
${view.secrets.filter(({ isSealed }) => isSealed).map((secret) => sealedNotice(view, secret))}
${secretsTable(view)}
<h3>${text("rotation")}</h3>
${rotation(view)}`
  }
</section>`

const secretsTable = ({ client, maySecrets, secrets, visitor }: CredentialsView): Html =>
  html`<div class="overflow-auto"><table aria-label="${text("secrets")}">
<thead><tr><th scope="col">${text("secrets.secret")}</th><th scope="col">${
    text("secrets.created")
  }</th><th scope="col">${text("secrets.lastUsed")}</th><th scope="col">${text("secretEnds.column")}</th>${
    maySecrets ? html`<th scope="col">${text("secrets.revoke")}</th>` : nothing
  }</tr></thead>
<tbody>
${
    secrets.map((secret) =>
      html`<tr>
<td><code>${endOf(secret)}</code></td>
<td data-label="${text("secrets.created")}">${at(visitor, secret.createdAt)}</td>
<td data-label="${text("secrets.lastUsed")}">${
        secret.lastUsedAt === null ? text("secrets.lastUsed.never") : at(visitor, secret.lastUsedAt)
      }</td>
<td data-label="${text("secretEnds.column")}">${endText(visitor, secret)}${
        maySecrets
          ? html` <a href="${secretPath(client, secret)}/end" aria-label="${
            text("secretEnds.change.one", { secret: endOf(secret) })
          }">${text("secretEnds.change")}</a>`
          : nothing
      }</td>
${maySecrets ? html`<td>${revokeCell(client, secrets, secret)}</td>` : nothing}</tr>`
    )
  }
</tbody></table></div>`

const revokeCell = (client: ManagedClient, secrets: ReadonlyArray<SecretInfo>, secret: SecretInfo): Html =>
  secrets.length > 1
    ? html`<a href="${appPath(client.id)}/secrets/${secret.id}/revoke" aria-label="${
      text("secret.revoke.button", { secret: endOf(secret) })
    }">${text("secrets.revoke")}</a>`
    : html`<span class="muted">${text("secrets.only")}</span>`

/** Three steps of a rotation (specification §5.5), with the current one marked. */
const rotation = (view: CredentialsView): Html => {
  const [old, young] = view.secrets
  return html`<ol class="steps">
${
    old === undefined || young === undefined
      ? html`<li aria-current="step"><h4>${text("rotation.generate")}</h4>
<p>${text("rotation.generate.about")}${
        old?.isOverdue === true ? html` ${text("secretEnds.overdue.next")}` : nothing
      }</p>
<form method="post" action="${appPath(view.client.id)}/secrets" novalidate>${csrfField(view.visitor.viewer)}
${newEnd(view.form ?? {})}
<button class="secondary">${text("rotation.generate")}</button></form></li>
<li><h4>${text("rotation.switch")}</h4><p>${text("rotation.switch.about")}</p></li>
<li><h4>${text("rotation.revoke")}</h4><p>${text("rotation.revoke.about")}</p></li>`
      : html`<li class="done"><h4>${text("rotation.generate")}</h4><p>${text("rotation.generate.done")}</p></li>
${switchOver(view, old, young)}`
  }
</ol>`
}

const switchOver = (view: CredentialsView, old: SecretInfo, young: SecretInfo): Html => {
  const isQuiet = young.lastUsedAt !== null && !isBusy(view, old)
  return html`<li class="${isQuiet ? "done" : ""}"${isQuiet ? nothing : html` aria-current="step"`}><h4>${
    text("rotation.switchTo", { secret: endOf(young) })
  }</h4>
<p>${
    young.lastUsedAt === null
      ? text("rotation.newNeverUsed")
      : text("rotation.newUsed", { at: at(view.visitor, young.lastUsedAt) })
  } ${
    old.lastUsedAt === null
      ? text("rotation.oldNeverUsed", { secret: endOf(old) })
      : text("rotation.oldUsed", { secret: endOf(old), at: at(view.visitor, old.lastUsedAt), strong })
  }</p></li>
<li${isQuiet ? html` aria-current="step"` : nothing}><h4>${text("rotation.revoke")}</h4>
<p>${text(isQuiet ? "rotation.isQuiet" : "rotation.isBusy")}</p>
<p><a href="${appPath(view.client.id)}/secrets/${old.id}/revoke" class="button ${isQuiet ? "danger" : "secondary"}">${
    text("rotation.revokeNow", { secret: endOf(old) })
  }</a></p></li>`
}

/** True when the secret was used within the last hour, or the other one never: revoking it would break something. */
const isBusy = ({ now, secrets }: CredentialsView, { id, lastUsedAt }: SecretInfo): boolean => {
  if (lastUsedAt === null) return false
  const other = secrets.find((secret) => secret.id !== id)
  return DateTime.isGreaterThan(lastUsedAt, DateTime.subtractDuration(now, Duration.hours(1))) ||
    (other?.lastUsedAt ?? null) === null
}

const at = ({ account }: Visitor, instant: DateTime.Utc): Html => dateText(instant, account)
