import type { Connection, ConnectionPage } from "../../core/consent/Connections.ts"
import { accessTokenLifetime } from "../../core/keys/AccessTokenLifetime.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { confirmation } from "../../foundation/web/Confirmation.ts"
import { dateText, durationText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { page } from "../../foundation/web/Layout.ts"
import { hidden, text } from "../../foundation/web/Message.ts"
import { notice, noticeOf } from "../../foundation/web/Notice.ts"
import { pager } from "../../foundation/web/Pager.ts"
import { appHead } from "../parts/AppHead.ts"
import { scopeSummary } from "../parts/ScopeList.ts"
import type { Visitor } from "../session/PageSession.ts"

export const connectionsPath = "/connections"
export const disconnectPath = "/connections/disconnect"

/** Apps that have access to the visitor's account. */
export const connectionsPage = (catalogue: Catalogue, visitor: Visitor, found: ConnectionPage) =>
  page({
    title: text("connections"),
    viewer: visitor.viewer,
    body: html`<h1>${text("connections")}</h1>
${
      found.connections.length === 0
        ? nothing
        : html`<p>${
          text(
            found.connections.some(({ isImported }) => isImported) ? "connections.whyWithImported" : "connections.why"
          )
        }</p>`
    }
${noticeOf(visitor.notice)}
${
      found.connections.length === 0
        ? html`<p class="empty">${text("connections.none")}</p>`
        : found.connections.map((connection) => card(catalogue, visitor, connection))
    }
${pager(found, (page) => `${connectionsPath}?page=${page}`)}`
  })

/** Confirmation before an app loses its access. */
export const disconnectBody = ({ viewer }: Visitor, { client, grantCount }: Connection): Html =>
  confirmation({
    question: text("connections.disconnect.question", { app: html`<bdi>${client.name}</bdi>` }),
    consequences: html`<p>${text("connections.disconnect.consequences", { grants: grantCount })}</p>
<p>${text("connections.disconnect.later")}</p>`,
    action: disconnectPath,
    hidden: { client_id: client.id },
    button: text("connections.disconnect"),
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
<a class="button quiet" href="${disconnectPath}?client_id=${encodeURIComponent(client.id)}">${
    text("connections.disconnect.app", { app: client.name, hidden })
  }</a>
</header>
<dl class="facts">
<div><dt>${text("connections.since")}</dt><dd>${
    since === null
      ? text("connections.since.unknown")
      : isImported
      ? text("connections.since.imported", { at: dateText(since, account) })
      : dateText(since, account)
  }</dd></div>
<div><dt>${text("connections.lastUsed")}</dt><dd>${
    lastUsedAt === null
      ? text("connections.lastUsed.never")
      : text("connections.lastUsed.upTo", {
        at: dateText(lastUsedAt, account),
        later: durationText(accessTokenLifetime)
      })
  }</dd></div>
${grantCount > 1 ? html`<div><dt>${text("connections.devices")}</dt><dd>${grantCount}</dd></div>` : nothing}
</dl>
${
    client.status === "approved"
      ? nothing
      : notice("warning", html`<p>${text("connections.suspended")}</p>`)
  }
${scopeSummary(catalogue, scopes)}
</article>`
