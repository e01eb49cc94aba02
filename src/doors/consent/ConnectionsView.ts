import type { Connection, ConnectionPage } from "../../core/consent/Connections.ts"
import { accessTokenLifetime } from "../../core/keys/AccessTokenLifetime.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { confirmation } from "../../foundation/web/Confirmation.ts"
import { dateText, durationText } from "../../foundation/web/DateText.ts"
import { noticeOf } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { page } from "../../foundation/web/Layout.ts"
import { pager } from "../../foundation/web/Pager.ts"
import { appHead } from "../parts/AppHead.ts"
import { scopeSummary } from "../parts/ScopeList.ts"
import type { Visitor } from "../session/PageSession.ts"

export const connectionsPath = "/connections"
export const disconnectPath = "/connections/disconnect"

/** Apps that have access to the visitor's account. */
export const connectionsPage = (catalogue: Catalogue, visitor: Visitor, found: ConnectionPage) =>
  page({
    title: "Connected apps",
    viewer: visitor.viewer,
    body: html`<h1>Connected apps</h1>
${
      found.connections.length === 0
        ? nothing
        : html`<p>These apps have access to your account, because you allowed it${
          found.connections.some(({ isImported }) => isImported) ? ", here or on the server before this one" : ""
        }.</p>`
    }
${noticeOf(visitor.notice)}
${
      found.connections.length === 0
        ? html`<p class="empty">No app has access. When you allow one, it shows up here.</p>`
        : found.connections.map((connection) => card(catalogue, visitor, connection))
    }
${pager(found, (page) => `${connectionsPath}?page=${page}`)}`
  })

/** Confirmation before an app loses its access. */
export const disconnectBody = ({ viewer }: Visitor, { client, grantCount }: Connection): Html =>
  confirmation({
    question: html`Disconnect <bdi>${client.name}</bdi>?`,
    consequences: html`<p>It loses its access to your account at once${
      grantCount > 1 ? ", on all devices where you signed in with it" : ""
    }, and what it does for you stops. What it has read before it may still have.</p>
<p>If you want it back later, start from the app again.</p>`,
    action: disconnectPath,
    hidden: { client_id: client.id },
    button: "Disconnect",
    back: connectionsPath,
    viewer
  })

const card = (
  catalogue: Catalogue,
  { account }: Visitor,
  { client, grantCount, isImported, lastUsedAt, scopes, since }: Connection
): Html =>
  html`<article class="connection">
<header>
${appHead(client, html`<h2><span class="app-name">${client.name}</span></h2>`)}
<a class="button quiet" href="${disconnectPath}?client_id=${
    encodeURIComponent(client.id)
  }">Disconnect<span class="visually-hidden"> ${client.name}</span></a>
</header>
<dl class="facts">
<div><dt>Access since</dt><dd>${since === null ? "from before this server" : dateText(since, account)}${
    isImported && since !== null ? ", on the server before this one" : ""
  }</dd></div>
<div><dt>Last used</dt><dd>${
    lastUsedAt === null
      ? "not used here yet"
      : html`${dateText(lastUsedAt, account)}, or up to ${durationText(accessTokenLifetime)} later`
  }</dd></div>
${grantCount > 1 ? html`<div><dt>Devices or sign-ins</dt><dd>${grantCount}</dd></div>` : nothing}
</dl>
${
    client.status === "approved"
      ? nothing
      : html`<p class="notice">An administrator has stopped this app. It cannot use its access now.</p>`
  }
${scopeSummary(catalogue, scopes)}
</article>`
