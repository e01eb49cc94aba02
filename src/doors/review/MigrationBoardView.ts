import type { BoardClient } from "../../core/legacy/migration/BoardClient.ts"
import { boardDefaults, BoardSort, BoardState } from "../../core/legacy/migration/BoardFilter.ts"
import type { BoardPage } from "../../core/legacy/migration/MigrationBoard.ts"
import { verdictText } from "../../core/legacy/migration/MigrationVerdict.ts"
import { counted } from "../../domain/Counted.ts"
import type { TimePreferences } from "../../domain/InstantText.ts"
import { breakable } from "../../foundation/web/BreakableText.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { noticeOf } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"
import { reviewPath } from "../parts/Paths.ts"
import { trendChart } from "./TrendChartView.ts"

/** Filter and order in the address of a page of the board. */
export interface BoardAddress {
  readonly state: BoardState
  readonly search: string
  readonly sort: BoardSort
}

interface BoardView extends BoardPage, BoardAddress {
  readonly isFirst: boolean
  readonly reader: TimePreferences
  readonly viewer: Viewer
  readonly notice: Phrase | undefined
}

export const boardBody = (view: BoardView): Html =>
  html`<p><a href="/review">Review</a></p>
<h1>Migration to scopes</h1>
${noticeOf(view.notice)}
<p>Apps from before scopes. Their tokens reach all that their users may reach, until the owner adds <code>scope</code> to the authorization URL and then saves the app's scopes.</p>
${filterForm(view)}
<div class="heading"><p>${counted(view.total, "app")}</p>${view.total === 0 ? nothing : actions(view)}</div>
${
    view.clients.length === 0
      ? html`<p class="empty">${view.total === 0 ? "There are no such apps." : "There are no more on this page."}${
        isFiltered(view) ? html` <a href="/review/migration">Show all that are to be moved</a>` : nothing
      }</p>`
      : table(view)
  }
${pager(view)}`

const isFiltered = ({ search, state }: BoardAddress): boolean =>
  search !== boardDefaults.search || state !== boardDefaults.state

/** Names of the states, for people. */
export const stateLabels: Readonly<Record<BoardState, string>> = {
  "open": "All to be moved",
  "not-started": "Not started",
  "url-without-scope": "URL still without scope",
  "unknown-words": "URL with words that are no scopes",
  "too-early": "Too early to know",
  "safe-to-save": "Safe to save",
  "migrated": "Moved",
  "all": "All, moved ones too"
}

const sortLabels: Readonly<Record<BoardSort, string>> = {
  requests: "Requests without scope",
  grants: "Old grants",
  name: "Name",
  owner: "Owner"
}

/** Address of a page of the board; what is as usual is left out. */
export const boardPath = (
  { search, sort, state }: BoardAddress,
  more: Readonly<Record<string, string>> = {},
  path = "/review/migration"
): string => {
  const query = new URLSearchParams()
  if (state !== boardDefaults.state) query.set("state", state)
  if (search !== boardDefaults.search) query.set("search", search)
  if (sort !== boardDefaults.sort) query.set("sort", sort)
  for (const [name, value] of Object.entries(more)) query.set(name, value)
  return query.size === 0 ? path : `${path}?${query}`
}

export const mailNotice = (owners: number): string =>
  owners === 0
    ? "Nobody was written to: each owner has had a mail in the last week."
    : `${owners === 1 ? "One owner gets" : `${owners} owners get`} a mail.`

const filterForm = (view: BoardView): Html =>
  html`<search><form method="get" action="/review/migration" class="filter">
<label>Verdict ${choice("state", BoardState.literals, stateLabels, view.state)}</label>
<label>Order ${choice("sort", BoardSort.literals, sortLabels, view.sort)}</label>
<label>Search <input type="search" name="search" value="${view.search}" maxlength="200" placeholder="App, website, owner, or an id"></label>
<button class="secondary">Show</button>
</form></search>`

const choice = <A extends string>(
  name: string,
  values: ReadonlyArray<A>,
  labels: Readonly<Record<A, string>>,
  chosen: A
): Html =>
  html`<select name="${name}">${
    values.map((value) =>
      html`<option value="${value}"${value === chosen ? html` selected` : nothing}>${labels[value]}</option>`
    )
  }</select>`

const actions = (view: BoardView): Html => {
  const file = (format: string) => boardPath(view, { format }, "/v2/admin/legacy-clients/export")
  return html`<p>Export: <a href="${file("csv")}" download>CSV</a> · <a href="${file("json")}" download>JSON</a>${
    view.state === "migrated" || !view.viewer.isAdmin
      ? nothing
      : html` · <a href="${boardPath(view, {}, "/review/migration/mail")}">Write to the owners…</a>`
  }</p>`
}

const table = (view: BoardView): Html =>
  html`<div class="overflow-auto"><table class="board">
<thead><tr><th scope="col">App</th><th scope="col">Owner</th><th scope="col">Verdict</th><th scope="col">Without scope</th><th scope="col">With scope</th><th scope="col">Old grants</th><th scope="col">Last 30 days</th></tr></thead>
<tbody>
${view.clients.map((client) => row(view, client))}
</tbody></table></div>`

const row = ({ reader }: BoardView, { askedAt, audit, id, name, owner, ownerId, trend }: BoardClient): Html =>
  html`<tr>
<td class="free"><a href="${reviewPath(id)}">${name}</a></td>
<td class="free" data-label="Owner">${
    owner === null ? ownerId : html`${owner.name}<br><small class="muted">${breakable(owner.email)}</small>`
  }${askedAt === null ? nothing : html`<br><small class="muted">mail: ${dateText(askedAt, reader)}</small>`}</td>
<td data-label="Verdict">${verdictText(audit.verdict, audit.unscopedGrants)}</td>
<td data-label="Without scope">${audit.unscopedRequests}${
    audit.lastUnscopedAt === null
      ? nothing
      : html`<br><small class="muted">last: ${dateText(audit.lastUnscopedAt, reader)}</small>`
  }</td>
<td data-label="With scope">${audit.scopedRequests}</td>
<td data-label="Old grants">${audit.unscopedGrants}</td>
<td data-label="Last 30 days">${trendChart(trend)}</td>
</tr>`

const pager = (view: BoardView): Html =>
  view.isFirst && view.nextCursor === null ? nothing : html`<nav aria-label="Pages"><ul>
<li>${view.isFirst ? nothing : html`<a href="${boardPath(view)}">First page</a>`}</li>
<li>${
    view.nextCursor === null
      ? nothing
      : html`<a href="${boardPath(view, { cursor: view.nextCursor })}" rel="next">Next page</a>`
  }</li>
</ul></nav>`
