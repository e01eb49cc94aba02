import type { OwnedPage } from "../../core/clients/records/ClientsRepo.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { noticeOf } from "../../foundation/web/Notice.ts"
import { appPath } from "../parts/Paths.ts"
import { statusView } from "../parts/StatusView.ts"

interface AppListView extends OwnedPage {
  readonly isFirst: boolean
  readonly notice: Phrase | undefined
  /** Registrations that were begun. */
  readonly drafts: Html
}

export const listBody = ({ clients, drafts, isFirst, nextCursor, notice }: AppListView): Html =>
  html`<div class="heading"><h1>${text("apps")}</h1><a href="/settings/apps/new" class="button">${
    text("apps.register")
  }</a></div>
${noticeOf(notice)}
${drafts}
${
    clients.length === 0 && isFirst
      ? html`<p class="empty">${text("apps.none")}</p>`
      : html`<ul class="rows">
${
        clients.map((client) =>
          html`<li>
<div><a href="${appPath(client.id)}"><bdi>${client.name}</bdi></a>
<small class="muted">${text(`apps.kind.${client.kind}`)} · <span class="id">${client.id}</span></small></div>
<p>${statusView(client)}</p>
</li>`
        )
      }
</ul>`
  }
${
    isFirst && nextCursor === null ? nothing : html`<nav aria-label="${text("pager.pages")}"><ul>
<li>${isFirst ? nothing : html`<a href="/settings/apps">${text("apps.firstPage")}</a>`}</li>
<li>${
      nextCursor === null
        ? nothing
        : html`<a href="/settings/apps?${String(new URLSearchParams({ cursor: nextCursor }))}" rel="next">${
          text("apps.nextPage")
        }</a>`
    }</li>
</ul></nav>`
  }`
