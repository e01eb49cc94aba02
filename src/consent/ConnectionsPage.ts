import type { HttpServerResponse } from "effect/http"
import type { Visitor } from "../accounts/PageSession.ts"
import { type Html, html, nothing } from "../http/Html.ts"
import { page } from "../http/Page.ts"
import { moment } from "../http/Time.ts"
import { appHead } from "./AppHead.ts"
import type { Connection } from "./Connections.ts"
import { scopeSummary } from "./ScopeList.ts"

export const connectionsPath = "/connections"
export const disconnectPath = "/connections/disconnect"

/** The apps that have access to the visitor's account. */
export const connectionsPage = (
  visitor: Visitor,
  connections: ReadonlyArray<Connection>,
  notice: Html
): HttpServerResponse.HttpServerResponse =>
  page({
    title: "Connected apps",
    viewer: visitor.viewer,
    images: connections.flatMap(({ client }) => client.logoUrl === null ? [] : [client.logoUrl]),
    body: html`<h1>Connected apps</h1>
${connections.length === 0 ? nothing : html`<p>These apps have access to your account, because you allowed it.</p>`}
${notice}
${
      connections.length === 0
        ? html`<p class="empty">No app has access. When you allow one, it shows up here.</p>`
        : connections.map((connection) => card(visitor, connection))
    }`
  })

/** What the page says after a form of it was accepted. */
export const disconnected: Html = html`<p class="notice" role="status">Disconnected. The app's access has ended.</p>`

const card = (
  { account, session }: Visitor,
  { client, grants, lastUsedAt, scopes, since }: Connection
): Html =>
  html`<article class="connection">
<header>
${appHead(client, html`<h2><span class="app-name">${client.name}</span></h2>`)}
<form method="post" action="${disconnectPath}">
<input type="hidden" name="csrf" value="${session.csrf}">
<input type="hidden" name="client_id" value="${client.id}">
<button class="quiet">Disconnect<span class="visually-hidden"> ${client.name}</span></button>
</form>
</header>
<dl class="facts">
<div><dt>Access since</dt><dd>${moment(since, account.timeZone)}</dd></div>
<div><dt>Last used</dt><dd>${moment(lastUsedAt, account.timeZone)}</dd></div>
${grants > 1 ? html`<div><dt>Devices or sign-ins</dt><dd>${grants}</dd></div>` : nothing}
</dl>
${
    client.status === "approved"
      ? nothing
      : html`<p class="notice">An administrator has stopped this app. It cannot use its access now.</p>`
  }
${scopeSummary(scopes)}
</article>`
