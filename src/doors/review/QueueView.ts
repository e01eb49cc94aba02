import type { DateTime } from "effect"
import type { QueueState } from "../../core/clients/life/QueueState.ts"
import type { QueuePage } from "../../core/clients/life/ReviewQueue.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import { age } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { pager } from "../../foundation/web/Pager.ts"
import { reviewPath } from "../parts/Paths.ts"
import { statusView } from "../parts/StatusView.ts"

interface QueueView extends QueuePage {
  readonly state: QueueState
  readonly search: string
  readonly owners: ReadonlyMap<string, Phrase>
  readonly now: DateTime.Utc
  readonly dashboardUrl: string | undefined
}

export const queueBody = (view: QueueView): Html =>
  html`<div class="heading"><h1>Review</h1><p class="actions"><a href="/review/migration">Migration to scopes</a>${
    view.dashboardUrl === undefined ? nothing : html` <a href="${view.dashboardUrl}">Jobs</a>`
  }</p></div>
<nav class="tabs" aria-label="State"><ul>${
    tabs.map(([state, label]) =>
      html`<li><a href="${address(view, { state, page: 1 })}"${
        state === view.state ? html` aria-current="page"` : nothing
      }>${label} <small class="count">${view.counts[state]}</small></a></li>`
    )
  }</ul></nav>
<search><form method="get" action="/review" class="finder">
<input type="hidden" name="state" value="${view.state}">
<input type="search" name="search" value="${view.search}" maxlength="200" aria-label="Search by app, website, redirect host, scope, owner or id" placeholder="App, website, redirect host, scope, owner or id">
<button class="secondary">Search</button>
</form></search>
${view.clients.length === 0 ? html`<p class="empty">${nothingHere(view)}</p>` : table(view)}
${pager(view, (page) => address(view, { page }))}`

const tabs: ReadonlyArray<readonly [QueueState, string]> = [
  ["waiting", "Waiting"],
  ["pending", "New"],
  ["approved", "Approved"],
  ["rejected", "Rejected"],
  ["suspended", "Suspended"],
  ["all", "All"]
]

const nothingHere = (view: QueueView): Html => {
  if (view.search.trim() === "") {
    return view.state === "waiting" ? html`Nothing waits for a decision.` : html`There are none.`
  }
  const { all } = view.counts
  const elsewhere = html`, but <a href="${address(view, { state: "all", page: 1 })}">${
    all === 1 ? "one app" : `${all} apps`
  } in other states</a>`
  return html`Nothing here fits “${view.search}”${all === 0 ? nothing : elsewhere}.<br>
<a href="${address({ ...view, search: "" }, {})}">Show all without the search</a>`
}

const address = (view: QueueView, to: { readonly state?: QueueState; readonly page?: number }): string => {
  const query = new URLSearchParams({ state: to.state ?? view.state })
  if (view.search !== "") query.set("search", view.search)
  if (to.page !== undefined && to.page > 1) query.set("page", String(to.page))
  return `/review?${query}`
}

const table = ({ clients, now, owners }: QueueView): Html =>
  html`<div class="overflow-auto"><table>
<thead><tr><th scope="col">App</th><th scope="col">Owner</th><th scope="col">State</th><th scope="col">Waits</th></tr></thead>
<tbody>
${
    clients.map((client) =>
      html`<tr>
<td class="free"><a href="${reviewPath(client.id)}">${client.name}</a></td>
<td class="free" data-label="Owner">${owners.get(client.ownerId) ?? client.ownerId}</td>
<td>${statusView(client)}</td>
<td data-label="Waits">${waitsSince(client, now)}</td>
</tr>`
    )
  }
</tbody></table></div>`

const waitsSince = (client: ManagedClient, now: DateTime.Utc): Html | string =>
  client.isWaiting
    ? age(client.status === "pending" ? client.submittedAt : client.change?.submittedAt ?? now, now)
    : "–"
