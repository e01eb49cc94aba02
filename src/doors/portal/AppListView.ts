import type { OwnedPage } from "../../core/clients/records/ClientsRepo.ts"
import { noticeOf } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { appPath } from "../parts/Paths.ts"
import { statusView } from "../parts/StatusView.ts"

interface AppListView extends OwnedPage {
  readonly isFirst: boolean
  readonly notice: Phrase | undefined
}

export const listBody = ({ clients, isFirst, nextCursor, notice }: AppListView): Html =>
  html`<div class="heading"><h1>My apps</h1><a href="/settings/apps/new" class="button">Register an app</a></div>
${noticeOf(notice)}
${
    clients.length === 0 && isFirst
      ? html`<p class="empty">You have no apps yet. Register one, and an administrator will review it before it can be used.</p>`
      : html`<ul class="rows">
${
        clients.map((client) =>
          html`<li>
<div><a href="${appPath(client.id)}">${client.name}</a>
<small class="muted">${client.kind} · <span class="id">${client.id}</span></small></div>
<p>${statusView(client)}</p>
</li>`
        )
      }
</ul>`
  }
${
    isFirst && nextCursor === null ? nothing : html`<nav aria-label="Pages"><ul>
<li>${isFirst ? nothing : html`<a href="/settings/apps">First page</a>`}</li>
<li>${
      nextCursor === null
        ? nothing
        : html`<a href="/settings/apps?${String(new URLSearchParams({ cursor: nextCursor }))}" rel="next">Next page</a>`
    }</li>
</ul></nav>`
  }`
