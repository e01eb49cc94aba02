import type { AppCalls } from "../../core/clients/AppCalls.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import { legacyNeed, usedBy, waysOf } from "../../core/usage/Need.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { shortDateText } from "../../foundation/web/DateText.ts"
import { forReader, type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { choiceText, listText } from "../../foundation/web/ListText.ts"
import { link, text } from "../../foundation/web/Message.ts"
import { barChart } from "../parts/BarChart.ts"
import { appTabPath } from "../parts/Paths.ts"
import { coverageText } from "../parts/UseText.ts"
import type { Visitor } from "../session/PageSession.ts"
import { barsOf, byDay, byNeed, type CallSum, dayAt, type NeedCalls, sumOf } from "./CallSums.ts"
import { unusedLine } from "./UnusedScopesView.ts"

export interface CallsView {
  readonly catalogue: Catalogue
  readonly visitor: Visitor
  readonly client: ManagedClient
  readonly calls: AppCalls
  /** What the calls that are looked at needed; all are where none did. */
  readonly need: string | undefined
}

/** Calls of an app and how many were refused, by day and by scope, for its owners. */
export const callsSection = (view: CallsView): Html => {
  const { calls, visitor: { account } } = view
  const needs = byNeed(calls)
  const only = needs.find(({ need, unknown }) => unknown === undefined && need === view.need)
  const days = only?.days ?? byDay(calls.days)
  return html`<section aria-labelledby="calls">
<h2 id="calls">${text("calls")}</h2>
${
    needs.length === 0
      ? calls.coverage.isCounting
        ? html`<p>${text("calls.none", { since: dayText(calls.from) })}</p>`
        : nothing
      : html`<p>${only === undefined ? sumText(calls) : onlyText(view, only)}</p>
${chart(calls, days)}
${only === undefined ? table(view, needs) : nothing}
${dayTable(days)}`
  }
${needs.length === 0 ? nothing : unusedLine(calls, account)}
<p class="muted">${coverageText(calls.coverage, account)} ${
    text("calls.json", { link: link("/docs#oauthClients.usage") })
  }</p>
</section>`
}

const sumText = ({ days, from }: AppCalls): Html => {
  const { allowed, refused } = sumOf(days)
  return text("calls.sum", { calls: allowed + refused, refused, since: dayText(from) })
}

const onlyText = ({ calls: { from }, client }: CallsView, only: NeedCalls): Html =>
  text("calls.sum.only", {
    calls: only.allowed + only.refused,
    refused: only.refused,
    since: dayText(from),
    scope: needText(only),
    link: link(`${appTabPath(client.id, "activity")}#calls`)
  })

const chart = (calls: AppCalls, days: ReadonlyMap<string, CallSum>): Html => {
  const bars = barsOf(calls, days, 1)
  const peak = Math.max(...bars.map(({ high, low }) => high + low))
  return html`<figure class="calls">
${barChart({ bars, parts, size: "days", height: 64, label: halves(bars) })}
<figcaption class="muted"><span>${dayText(calls.from)}</span> <span>${
    text("calls.legend", { peak, part })
  }</span> <span>${dayText(calls.to)}</span></figcaption>
</figure>`
}

const parts = ["refused", "allowed"] as const

/** A word of the legend, with its colour before it. */
const part = (content: ReadonlyArray<Phrase>): Html => html`<span class="refused-part">${content}</span>`

/** Bars in words: the first and the second half of them. */
const halves = (bars: ReadonlyArray<{ readonly low: number; readonly high: number }>): Html => {
  const middle = Math.floor(bars.length / 2)
  const sum = (some: typeof bars, of: "high" | "low") => some.reduce((total, bar) => total + bar[of], 0)
  const [first, second] = [bars.slice(0, middle), bars.slice(middle)]
  return text("calls.chart", {
    allowedFirst: sum(first, "high"),
    refusedFirst: sum(first, "low"),
    allowedSecond: sum(second, "high"),
    refusedSecond: sum(second, "low")
  })
}

const table = (view: CallsView, needs: ReadonlyArray<NeedCalls>): Html => {
  const rest = needs.slice(mostShown)
  return html`${needTable(view, needs.slice(0, mostShown))}
${
    rest.length === 0
      ? nothing
      : html`<details><summary>${text("calls.more", { count: rest.length })}</summary>${
        needTable(view, rest)
      }</details>`
  }`
}

/** Rows that are shown before the others are asked for. */
const mostShown = 3

const needTable = (view: CallsView, needs: ReadonlyArray<NeedCalls>): Html =>
  html`<div class="overflow-auto"><table class="needs" aria-label="${text("calls.byScope")}">
<thead><tr><th scope="col">${text("calls.scope")}</th>${
    [allowed, refused, users, weeks].map((column) => html`<th scope="col">${column}</th>`)
  }</tr></thead>
<tbody>
${needs.map((calls) => needRow(view, calls))}
</tbody></table></div>`

const [allowed, refused, users, weeks] = [
  text("calls.allowed"),
  text("calls.refused"),
  text("calls.users"),
  text("calls.weeks")
] as const

const needRow = (view: CallsView, calls: NeedCalls): Html => {
  const { areUsersComplete } = view.calls
  const bars = barsOf(view.calls, calls.days, 7)
  return html`<tr>
<th scope="row">${needLink(view, calls)}${through(view, calls)}</th>
<td data-label="${allowed}">${numberText(calls.allowed)}</td>
<td data-label="${refused}">${numberText(calls.refused)}</td>
<td data-label="${users}">${
    areUsersComplete ? numberText(calls.users) : text("app.users.atLeast", { users: calls.users })
  }</td>
<td>${barChart({ bars, parts, step: 8, height: 24, label: halves(bars) })}</td>
</tr>`
}

const needLink = (view: CallsView, calls: NeedCalls): Html =>
  calls.unknown === undefined
    ? html`<a href="${appTabPath(view.client.id, "activity")}?need=${encodeURIComponent(calls.need)}#calls">${
      needText(calls)
    }</a>`
    : needText(calls)

/** Scopes that calls needed, or which calls they were. */
const needText = ({ need, unknown }: NeedCalls): Html => {
  if (unknown !== undefined) return text(unknown === "unlisted" ? "calls.unlisted" : "calls.introspected")
  if (need === legacyNeed) return text("calls.legacy")
  const ways = waysOf(need).map((way) => listText(way.map((scope) => html`<code>${scope}</code>`)))
  return choiceText(ways)
}

/** Scopes of the app that include what calls needed. */
const through = ({ catalogue, client }: CallsView, { allowed, need, unknown }: NeedCalls): Html => {
  if (unknown !== undefined || need === legacyNeed || allowed === 0) return nothing
  const named = waysOf(need).flat()
  const by = usedBy(catalogue, client.scopes, need).filter((scope) => !named.includes(scope))
  return by.length === 0
    ? nothing
    : html` <small class="muted">${
      text("calls.through", { scopes: listText(by.map((scope) => html`<code>${scope}</code>`)) })
    }</small>`
}

/** The bars as numbers, the latest day first. */
const dayTable = (days: ReadonlyMap<string, CallSum>): Html =>
  html`<details><summary>${text("calls.byDay")}</summary>
<div class="overflow-auto"><table aria-label="${text("calls.byDay")}">
<thead><tr><th scope="col">${text("calls.day")}</th>${
    [allowed, refused].map((column) => html`<th scope="col">${column}</th>`)
  }</tr></thead>
<tbody>
${
    [...days].toSorted(([a], [b]) => a < b ? 1 : -1).map(([day, sum]) =>
      html`<tr><th scope="row">${dayText(day)}</th><td data-label="${allowed}">${
        numberText(sum.allowed)
      }</td><td data-label="${refused}">${numberText(sum.refused)}</td></tr>\n`
    )
  }
</tbody></table></div></details>`

/** Days are those of UTC, whatever zone their reader lives in. */
const dayText = (day: string): Html => shortDateText(dayAt(day), { timeZone: "UTC", timeFormat: 24 })

const numberText = (number: number): Html => forReader(({ language }) => language.number(number))
