import type { BoardClient } from "../../core/legacy/migration/BoardClient.ts"
import { boardDefaults, BoardSort, BoardState } from "../../core/legacy/migration/BoardFilter.ts"
import type { BoardPage } from "../../core/legacy/migration/MigrationBoard.ts"
import type { TimePreferences } from "../../domain/InstantText.ts"
import { breakable } from "../../foundation/web/BreakableText.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"
import { type Message, type PlainValues, text } from "../../foundation/web/Message.ts"
import { noticeOf } from "../../foundation/web/Notice.ts"
import { reviewPath } from "../parts/Paths.ts"
import { verdictText } from "../parts/VerdictText.ts"
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
  html`<p><a href="/review">${text("review")}</a></p>
<h1>${text("board")}</h1>
${noticeOf(view.notice)}
<p>${text("board.what", { parameter: html`<code>scope</code>` })} ${text("board.rehearsal")}</p>
${filterForm(view)}
<div class="heading"><p>${text("board.apps", { apps: view.total })}</p>${
    view.total === 0 ? nothing : actions(view)
  }</div>
${
    view.clients.length === 0
      ? html`<p class="empty">${text(view.total === 0 ? "board.none" : "board.noMore")}${
        isFiltered(view) ? html` <a href="/review/migration">${text("board.showOpen")}</a>` : nothing
      }</p>`
      : table(view)
  }
${pager(view)}`

const isFiltered = ({ search, state }: BoardAddress): boolean =>
  search !== boardDefaults.search || state !== boardDefaults.state

/** Name of a state, for people. */
export const stateLabel = (state: BoardState): Html => text(`board.state.${state}`)

const sortLabel = (sort: BoardSort): Html => text(`board.sort.${sort}`)

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

export const mailNotice = (owners: number): Message<PlainValues> => text("board.written", { owners })

const filterForm = (view: BoardView): Html =>
  html`<search><form method="get" action="/review/migration" class="filter">
<label>${text("board.verdict")} ${choice("state", BoardState.literals, stateLabel, view.state)}</label>
<label>${text("board.sort")} ${choice("sort", BoardSort.literals, sortLabel, view.sort)}</label>
<label>${text("board.search")} <input type="search" name="search" value="${view.search}" maxlength="200" placeholder="${
    text("board.search.hint")
  }"></label>
<button class="secondary">${text("board.show")}</button>
</form></search>`

const choice = <A extends string>(
  name: string,
  values: ReadonlyArray<A>,
  label: (value: A) => Html,
  chosen: A
): Html =>
  html`<select name="${name}">${
    values.map((value) =>
      html`<option value="${value}"${value === chosen ? html` selected` : nothing}>${label(value)}</option>`
    )
  }</select>`

const actions = (view: BoardView): Html => {
  const file = (format: "csv" | "json") => (content: ReadonlyArray<Phrase>) =>
    html`<a href="${boardPath(view, { format }, "/v2/admin/legacy-clients/export")}" download>${content}</a>`
  return html`<p>${text("board.export", { csv: file("csv"), json: file("json") })}${
    view.state === "migrated" || !view.viewer.isAdmin
      ? nothing
      : html` · <a href="${boardPath(view, {}, "/review/migration/mail")}">${text("board.write")}</a>`
  }</p>`
}

const table = (view: BoardView): Html =>
  html`<div class="overflow-auto"><table class="board" aria-label="${text("board")}">
<thead><tr><th scope="col">${text("board.app")}</th>${
    [owner, verdict, unscoped, scoped, grants, trend].map((column) => html`<th scope="col">${column}</th>`)
  }</tr></thead>
<tbody>
${view.clients.map((client) => row(view, client))}
</tbody></table></div>`

const [owner, verdict, unscoped, scoped, grants, trend] = [
  text("board.owner"),
  text("board.verdict"),
  text("board.unscoped"),
  text("board.scoped"),
  text("board.grants"),
  text("board.days")
] as const

const row = ({ reader }: BoardView, client: BoardClient): Html => {
  const { askedAt, audit, calls, id, name, ownerId } = client
  return html`<tr>
<td class="free"><a href="${reviewPath(id)}"><bdi>${name}</bdi></a></td>
<td class="free" data-label="${owner}">${
    client.owner === null
      ? ownerId
      : html`<bdi>${client.owner.name}</bdi><br><small class="muted">${breakable(client.owner.email)}</small>`
  }${askedAt === null ? nothing : below(text("board.askedAt", { at: dateText(askedAt, reader) }))}</td>
<td data-label="${verdict}">${verdictText(audit.verdict, audit.unscopedGrants)}${
    calls.calls === 0
      ? nothing
      : below(
        text(calls.blindness === null ? "board.calls" : "board.calls.notAll", {
          refused: calls.refusedCalls,
          calls: calls.calls
        })
      )
  }</td>
<td data-label="${unscoped}">${audit.unscopedRequests}${
    audit.lastUnscopedAt === null ? nothing : below(text("board.last", { at: dateText(audit.lastUnscopedAt, reader) }))
  }</td>
<td data-label="${scoped}">${audit.scopedRequests}</td>
<td data-label="${grants}">${audit.unscopedGrants}</td>
<td data-label="${trend}">${trendChart(client.trend)}</td>
</tr>`
}

const below = (note: Html): Html => html`<br><small class="muted">${note}</small>`

const pager = (view: BoardView): Html =>
  view.isFirst && view.nextCursor === null ? nothing : html`<nav aria-label="${text("pager.pages")}"><ul>
<li>${view.isFirst ? nothing : html`<a href="${boardPath(view)}">${text("board.firstPage")}</a>`}</li>
<li>${
    view.nextCursor === null
      ? nothing
      : html`<a href="${boardPath(view, { cursor: view.nextCursor })}" rel="next">${text("board.nextPage")}</a>`
  }</li>
</ul></nav>`
