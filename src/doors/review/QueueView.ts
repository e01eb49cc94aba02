import type { DateTime } from "effect"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { QueueState } from "../../core/clients/review/QueueState.ts"
import type { QueuePage } from "../../core/clients/review/ReviewQueue.ts"
import type { TimePreferences } from "../../domain/InstantText.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { link, text } from "../../foundation/web/Message.ts"
import { pager } from "../../foundation/web/Pager.ts"
import { reviewPath } from "../parts/Paths.ts"
import { statusView } from "../parts/StatusView.ts"
import { referencesPath } from "./ReferenceView.ts"

interface QueueView extends QueuePage {
  readonly state: QueueState
  readonly search: string
  readonly owners: ReadonlyMap<string, Phrase>
  readonly reader: TimePreferences
  readonly isAdmin: boolean
  readonly dashboardUrl: string | undefined
}

export const queueBody = (view: QueueView): Html =>
  html`<div class="heading"><h1>${text("review")}</h1><p class="actions"><a href="/review/migration">${
    text("board")
  }</a>${view.isAdmin ? html` <a href="${referencesPath}">${text("references")}</a>` : nothing}${
    view.dashboardUrl === undefined ? nothing : html` <a href="${view.dashboardUrl}">${text("review.jobs")}</a>`
  }</p></div>
<nav class="tabs" aria-label="${text("review.states")}"><ul>${
    tabs.map((state) =>
      html`<li><a href="${address(view, { state, page: 1 })}"${
        state === view.state ? html` aria-current="page"` : nothing
      }>${text(`review.state.${state}`)} <small class="count">${view.counts[state]}</small></a></li>`
    )
  }</ul></nav>
<search><form method="get" action="/review" class="finder">
<input type="hidden" name="state" value="${view.state}">
<input type="search" name="search" value="${view.search}" maxlength="200" aria-label="${
    text("review.search.label")
  }" placeholder="${text("review.search.hint")}">
<button class="secondary">${text("review.search")}</button>
</form></search>
${view.clients.length === 0 ? html`<p class="empty">${nothingHere(view)}</p>` : table(view)}
${pager(view, (page) => address(view, { page }))}`

const tabs: ReadonlyArray<QueueState> = [
  "waiting",
  "asked",
  "reported",
  "pending",
  "approved",
  "rejected",
  "suspended",
  "all"
]

const nothingHere = (view: QueueView): Html => {
  if (view.search.trim() === "") {
    return text(view.state === "waiting" ? "review.nothingWaiting" : "review.none")
  }
  const { counts: { all }, search } = view
  const elsewhere = link(address(view, { state: "all", page: 1 }))
  return html`${
    all === 0
      ? text("review.search.nothing", { search })
      : text("review.search.elsewhere", { search, apps: all, elsewhere })
  }<br>
<a href="${address({ ...view, search: "" }, {})}">${text("review.search.clear")}</a>`
}

const address = (view: QueueView, to: { readonly state?: QueueState; readonly page?: number }): string => {
  const query = new URLSearchParams({ state: to.state ?? view.state })
  if (view.search !== "") query.set("search", view.search)
  if (to.page !== undefined && to.page > 1) query.set("page", String(to.page))
  return `/review?${query}`
}

const table = ({ clients, owners, reader, reports, state }: QueueView): Html => {
  const [owner, waitingSince] = [text("review.owner"), text("review.waitingSince")]
  return html`<div class="overflow-auto"><table aria-label="${text(`review.state.${state}`)}">
<thead><tr><th scope="col">${text("review.app")}</th><th scope="col">${owner}</th><th scope="col">${
    text("review.state")
  }</th><th scope="col">${waitingSince}</th></tr></thead>
<tbody>
${
    clients.map((client) => {
      const since = waitsSince(client)
      return html`<tr>
<td class="free"><a href="${reviewPath(client.id)}"><bdi>${client.name}</bdi></a></td>
<td class="free" data-label="${owner}">${owners.get(client.ownerId) ?? client.ownerId}</td>
<td>${statusView(client)}${flag(reports.get(client.id))}</td>
<td data-label="${waitingSince}">${since === undefined ? "–" : dateText(since, reader)}</td>
</tr>`
    })
  }
</tbody></table></div>`
}

const flag = (count: number | undefined): Html =>
  count === undefined ? nothing : html` <span class="status rejected">${text("review.reported", { count })}</span>`

const waitsSince = ({ change, isWaiting, status, submittedAt }: ManagedClient): DateTime.Utc | undefined =>
  isWaiting ? (status === "pending" ? submittedAt : change?.submittedAt) : undefined
