import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Scope } from "../../domain/scopes/Scope.ts"
import { codeBlock, copyField } from "../../foundation/web/CopyField.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Visitor } from "../session/PageSession.ts"

/** Choice of an app to start with. */
export const chooseBody = ({ apps, callback, isDemoOffered, visitor }: {
  readonly visitor: Visitor
  readonly apps: ReadonlyArray<ManagedClient>
  readonly callback: string
  readonly isDemoOffered: boolean
}): Html =>
  html`<h1>Playground</h1>
<p>Be the app for three minutes: send a user (you) to the consent page, take the code that comes back, exchange it for
tokens, call the API, refresh, revoke. Every request is a real one, shown as it is sent.</p>
${
    isDemoOffered
      ? html`<article class="demo"><div><h2>New here?</h2><p>Take the demo app: approved, with nothing to fill in.</p></div>
<form method="post" action="/playground/demo">${
        csrfField(visitor.viewer)
      }<button>Start with the demo app</button></form></article>`
      : nothing
  }
<section aria-labelledby="own">
<h2 id="own">With an app of yours</h2>
${
    apps.length === 0
      ? html`<p class="empty">You have no apps yet. <a href="/settings/apps/new">Register one</a>.</p>`
      : html`<p class="muted">It needs ${copyField("the redirect URI", callback)} among its redirect URIs.</p>
<ul class="rows">${apps.map((client) => choice(visitor, client, callback))}</ul>`
  }
</section>`

const choice = ({ viewer }: Visitor, client: ManagedClient, callback: string): Html => {
  const adding = client.status === "approved"
    ? " (an administrator reviews it)"
    : client.status === "rejected"
    ? " and submit the app again"
    : ""
  const waits = client.change?.rejectionReason === null && client.change.redirectUris.includes(callback)
  return html`<li><div>${client.name} <small class="muted">${client.kind} · ${client.status}</small></div>
${
    client.status === "suspended"
      ? html`<p class="muted">An administrator has stopped it</p>`
      : client.redirectUris.includes(callback)
      ? client.status === "approved"
        ? html`<p><a href="/playground?app=${client.id}">Use this app</a></p>`
        : html`<p class="muted">not approved</p>`
      : waits
      ? html`<p class="muted">the address waits for review</p>`
      : html`<form method="post" action="/playground/address">${
        csrfField(viewer)
      }<input type="hidden" name="app" value="${client.id}"><button class="link">Add the address<span class="visually-hidden"> to ${client.name}</span>${adding}</button></form>`
  }</li>`
}

/** Step 1: the authorization URL. */
export const startBody = ({ catalogue, client, offered, parameters, scopes, url }: {
  readonly catalogue: Catalogue
  readonly client: ManagedClient
  readonly offered: ReadonlyArray<Scope>
  readonly scopes: ReadonlyArray<Scope>
  readonly parameters: ReadonlyArray<readonly [name: string, value: string, meaning: string]>
  readonly url: string
}): Html =>
  html`<p><a href="/playground">Playground</a></p>
<h1>${client.name}</h1>
<ol class="steps">
<li aria-current="step"><h2>Send the user to the authorization URL</h2>
<form method="get" action="/playground">
<input type="hidden" name="app" value="${client.id}">
<fieldset><legend>What the app asks for</legend>
${
    offered.map((scope) =>
      html`<label class="choice"><input type="checkbox" name="scope:${scope}" value="on"${
        scopes.includes(scope) ? html` checked` : nothing
      }><span>${catalogue.describe(scope).title} <code>${scope}</code></span></label>`
    )
  }
</fieldset>
<button class="secondary">Change the URL</button>
</form>
${codeBlock("the authorization URL", url)}
<details><summary>What each part means</summary>
<dl class="facts">${
    parameters.map(([name, , meaning]) => html`<dt><code>${name}</code></dt><dd>${meaning}</dd>`)
  }</dl></details>
<p><a href="${url}" class="button">Go there as the user</a></p></li>
<li><h2>The user decides</h2><p>On the consent page, which tells in words what the app asked for.</p></li>
<li><h2>Exchange the code for tokens</h2></li>
<li><h2>Call the API, refresh, revoke</h2></li>
</ol>`
