import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Scope } from "../../domain/scopes/Scope.ts"
import { codeBlock, copyField } from "../../foundation/web/CopyField.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { forReader, type Html, html, nothing } from "../../foundation/web/Html.ts"
import { hidden, link, text } from "../../foundation/web/Message.ts"
import type { Visitor } from "../session/PageSession.ts"
import type { Parameter } from "./Attempt.ts"

/** Choice of an app to start with. */
export const chooseBody = ({ apps, callback, isDemoOffered, visitor }: {
  readonly visitor: Visitor
  readonly apps: ReadonlyArray<ManagedClient>
  readonly callback: string
  readonly isDemoOffered: boolean
}): Html =>
  html`<h1>${text("playground")}</h1>
<p>${text("playground.about")}</p>
${
    isDemoOffered
      ? html`<article class="demo"><div><h2>${text("playground.demo")}</h2><p>${text("playground.demo.about")}</p></div>
<form method="post" action="/playground/demo">${csrfField(visitor.viewer)}<button>${
        text("playground.demo.start")
      }</button></form></article>`
      : nothing
  }
<section aria-labelledby="own">
<h2 id="own">${text("playground.own")}</h2>
${
    apps.length === 0
      ? html`<p class="empty">${text("playground.own.none", { link: link("/settings/apps/new") })}</p>`
      : html`<p class="muted">${
        text("playground.own.needs", { address: copyField(text("playground.address"), callback) })
      }</p>
<ul class="rows">${apps.map((client) => choice(visitor, client, callback))}</ul>`
  }
</section>`

const choice = (visitor: Visitor, client: ManagedClient, callback: string): Html =>
  html`<li><div><bdi>${client.name}</bdi> <small class="muted">${text(`apps.kind.${client.kind}`)} · ${
    text(`status.${client.status}`)
  }</small></div>
${next(visitor, client, callback)}</li>`

/** Next step with an app: to use it, or what has to happen before. */
const next = ({ viewer }: Visitor, client: ManagedClient, callback: string): Html => {
  if (client.status === "suspended") return html`<p class="muted">${text("playground.suspended")}</p>`
  if (client.redirectUris.includes(callback)) {
    return client.status === "approved"
      ? html`<p><a href="/playground?app=${client.id}">${text("playground.use")}</a></p>`
      : html`<p class="muted">${text("playground.notApproved")}</p>`
  }
  if (client.change?.isWaiting && client.change.redirectUris.includes(callback)) {
    return html`<p class="muted">${text("playground.addressWaiting")}</p>`
  }
  const app = html`<bdi>${client.name}</bdi>`
  return html`<form method="post" action="/playground/address">${
    csrfField(viewer)
  }<input type="hidden" name="app" value="${client.id}"><button class="link">${
    client.status === "approved"
      ? text("playground.addAddress.reviewed", { app, hidden })
      : client.status === "rejected"
      ? text("playground.addAddress.resubmits", { app, hidden })
      : text("playground.addAddress", { app, hidden })
  }</button></form>`
}

/** Step 1: the authorization URL. */
export const startBody = ({ catalogue, client, offered, parameters, scopes, url }: {
  readonly catalogue: Catalogue
  readonly client: ManagedClient
  readonly offered: ReadonlyArray<Scope>
  readonly scopes: ReadonlyArray<Scope>
  readonly parameters: ReadonlyArray<readonly [name: Parameter, value: string]>
  readonly url: string
}): Html =>
  html`<p><a href="/playground">${text("playground")}</a></p>
<h1>${client.name}</h1>
<ol class="steps">
<li aria-current="step"><h2>${text("playground.send")}</h2>
<form method="get" action="/playground">
<input type="hidden" name="app" value="${client.id}">
<fieldset><legend>${text("playground.scopes")}</legend>
${
    forReader(({ language: { tag } }) =>
      offered.map((scope) =>
        html`<label class="choice"><input type="checkbox" name="scope:${scope}" value="on"${
          scopes.includes(scope) ? html` checked` : nothing
        }><span>${catalogue.describe(scope, tag).title} <code>${scope}</code></span></label>`
      )
    )
  }
</fieldset>
<button class="secondary">${text("playground.changeUrl")}</button>
</form>
${codeBlock(text("playground.url"), url)}
<details><summary>${text("playground.parameters")}</summary>
<dl class="facts">${
    parameters.map(([name]) => html`<dt><code>${name}</code></dt><dd>${text(`playground.parameter.${name}`)}</dd>`)
  }</dl></details>
<p><a href="${url}" class="button">${text("playground.goAsUser")}</a></p></li>
<li><h2>${text("playground.decide")}</h2><p>${text("playground.decide.about")}</p></li>
<li><h2>${text("playground.exchange")}</h2></li>
<li><h2>${text("playground.call")}</h2></li>
<li><h2>${text("playground.refresh")}</h2></li>
<li><h2>${text("playground.revoke")}</h2></li>
</ol>`
