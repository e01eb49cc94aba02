import type { BoardApp, BoardPage, BoardState } from "../../core/legacy/migration/MigrationBoard.ts"
import { verdictText } from "../../core/legacy/migration/MigrationVerdict.ts"
import { dateText, type TimePreferences } from "../../foundation/web/DateText.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"
import { reviewPath } from "../portal/Paths.ts"
import { noticeOf } from "../portal/StatusView.ts"
import { trendChart } from "./TrendChartView.ts"

export interface BoardView extends BoardPage {
  readonly state: BoardState
  readonly viewer: Viewer
  readonly reader: TimePreferences
  /** The number of apps whose owners were just asked; `null` when none were. */
  readonly asked: number | null
}

export const boardBody = (view: BoardView): Html =>
  html`<p><a href="/review">Review</a></p>
<h1>Migration to scopes</h1>
${view.asked === null ? nothing : noticeOf(mailNotice(view.asked))}
<p>Apps from before scopes. Their tokens reach all that their users may reach, until the owner adds <code>scope</code> to the authorization URL and then saves the app's scopes.</p>
<nav class="tabs" aria-label="State"><ul>${
    tabs.map(([state, label]) =>
      html`<li><a href="/review/migration?state=${state}"${
        state === view.state ? html` aria-current="page"` : nothing
      }>${label}</a></li>`
    )
  }</ul></nav>
${view.state === "open" ? mailForm(view) : nothing}
${
    view.apps.length === 0
      ? html`<p class="empty">${view.state === "open" ? "No app is left to move." : "No app was moved yet."}</p>`
      : table(view)
  }
${pager(view)}`

const tabs: ReadonlyArray<readonly [BoardState, string]> = [["open", "To be moved"], ["migrated", "Moved"]]

const mailNotice = (count: number): string =>
  count === 0
    ? "Nobody was written to: each owner has had a mail in the last week."
    : `The owners of ${count === 1 ? "one app" : `${count} apps`} get a mail.`

const mailForm = ({ due, total, viewer }: BoardView): Html =>
  total === 0 ? nothing : html`<form method="post" action="/review/migration/mail">
${csrfField(viewer)}
<button${due === 0 ? html` disabled` : nothing}>Write to the owners${
    due === 0 ? nothing : html` of ${due} ${due === 1 ? "app" : "apps"}`
  }</button>
<small class="muted">Each gets a mail with where the app stands and what to do, once a week at most for an app.</small>
</form>`

const table = (view: BoardView): Html =>
  html`<div class="overflow-auto"><table class="board">
<thead><tr><th scope="col">App</th><th scope="col">Owner</th><th scope="col">Verdict</th><th scope="col">Without scope</th><th scope="col">With scope</th><th scope="col">Old grants</th><th scope="col">Last 30 days</th></tr></thead>
<tbody>
${view.apps.map((app) => row(view, app))}
</tbody></table></div>`

const row = ({ reader }: BoardView, { askedAt, audit, id, name, owner, ownerId, trend }: BoardApp): Html =>
  html`<tr>
<td><a href="${reviewPath(id)}">${name}</a></td>
<td data-label="Owner">${
    owner === undefined ? ownerId : html`${owner.name}<br><small class="muted">${owner.email}</small>`
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

const pager = ({ page, pages, state }: BoardView): Html =>
  pages <= 1 ? nothing : html`<nav aria-label="Pages"><ul>
<li>${
    page > 1 ? html`<a href="/review/migration?state=${state}&amp;page=${page - 1}" rel="prev">Previous</a>` : nothing
  }</li>
<li>Page ${page} of ${pages}</li>
<li>${
    page < pages ? html`<a href="/review/migration?state=${state}&amp;page=${page + 1}" rel="next">Next</a>` : nothing
  }</li>
</ul></nav>`
