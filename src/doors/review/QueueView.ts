import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { QueueState, QueueWish } from "../../core/clients/review/QueueState.ts"
import type { QueuePage } from "../../core/clients/review/ReviewQueue.ts"
import { inLanguage } from "../../domain/files/Words.ts"
import { forReader, type Html, html, nothing } from "../../foundation/web/Html.ts"
import { link, text } from "../../foundation/web/Message.ts"
import { pager } from "../../foundation/web/Pager.ts"
import { type Asked, chosenPath, isNarrowed, longestSearch, queueAddress, queuePath } from "./QueueAddress.ts"
import { queueRow, type RowView } from "./QueueRow.ts"
import { referencesPath } from "./ReferenceView.ts"
import { testAppsPath } from "./TestAppsView.ts"
import { trustedHostsPath } from "./TrustedHostsView.ts"
import { unusedPath } from "./UnusedView.ts"

export interface QueueView extends RowView, Omit<QueuePage, "facts"> {
  readonly asked: Asked
  readonly isAdmin: boolean
  readonly dashboardUrl: string | undefined
}

export const queueBody = (view: QueueView): Html =>
  html`<div class="heading"><h1>${text("review")}</h1><p class="actions"><a href="/review/migration">${
    text("board")
  }</a>${
    view.isAdmin
      ? html` <a href="${referencesPath}">${text("references")}</a> <a href="${testAppsPath}">${text("testApps")}</a>`
      : nothing
  } <a href="${trustedHostsPath}">${text("trustedHosts")}</a> <a href="${unusedPath}">${text("unusedScopes")}</a>${
    view.dashboardUrl === undefined ? nothing : html` <a href="${view.dashboardUrl}">${text("review.jobs")}</a>`
  }</p></div>
${tabs(view, text("review.states"), todo)}
${tabs(view, text("queue.decided"), decided)}
${finder(view)}
${view.clients.length === 0 ? html`<p class="empty">${nothingHere(view)}</p>` : list(view)}
${pager(view, (page) => queueAddress(view.asked, { page }))}`

/** What there is to do. */
const todo: ReadonlyArray<QueueState> = [
  "waiting",
  "changes",
  "mine",
  "asked",
  "risk3",
  "overdue",
  "imported",
  "reported",
  "ownerless"
]
const decided: ReadonlyArray<QueueState> = ["approved", "rejected", "suspended", "all"]
/** Only servers that took over apps have `imported` ones, and an app without an owner is rare. */
const often = (state: QueueState) => state !== "imported" && state !== "ownerless"

const tabs = ({ asked, counts }: QueueView, label: Html, states: ReadonlyArray<QueueState>): Html =>
  html`<nav class="tabs${states === decided ? " sorts" : ""}" aria-label="${label}"><ul>${
    states === decided ? html`<li aria-hidden="true">${label}</li>` : nothing
  }${
    states.filter((state) => often(state) || counts[state] > 0 || state === asked.state).map((state) =>
      html`<li><a href="${queueAddress(asked, { state })}"${
        state === asked.state ? html` aria-current="page"` : nothing
      }>${text(`review.state.${state}`)} <small class="count">${
        forReader(({ language }) => language.number(counts[state]))
      }</small></a></li>`
    )
  }</ul></nav>`

const finder = ({ asked, catalogue }: QueueView): Html => {
  const areas = catalogue.file.areas ?? []
  return html`<search><form method="get" action="${queuePath}" class="finder">
<input type="hidden" name="state" value="${asked.state}">
<input type="search" name="search" value="${asked.search}" maxlength="${longestSearch}" aria-label="${
    text("review.search.label")
  }" placeholder="${text("review.search.hint")}">
${
    choice(asked, "risk", text("queue.risk"), [
      ["", text("queue.risk.any")],
      ...(["3", "2", "1", "0"] as const).map((risk) => [risk, text("risk.level", { risk })] as const)
    ])
  }${
    areas.length === 0
      ? nothing
      : choice(asked, "area", text("queue.area"), [
        ["", text("queue.area.any")],
        ...areas.map(({ id, title }) => [id, forReader(({ language }) => inLanguage(title, language.tag))] as const)
      ])
  }${
    choice(asked, "claimed", text("queue.claimed"), [
      ["", text("queue.claimed.any")],
      ["no", text("queue.claimed.no")],
      ["yes", text("queue.claimed.yes")]
    ])
  }${
    choice(asked, "sort", text("queue.sort"), [
      ["", text("queue.sort.oldest")],
      ["risk", text("queue.sort.risk")],
      ["owner", text("queue.sort.owner")]
    ])
  }
<button class="secondary">${text("review.search")}</button>
</form></search>`
}

const choice = (
  asked: Asked,
  name: Exclude<keyof QueueWish, "state">,
  label: Html,
  options: ReadonlyArray<readonly [value: string, label: Html]>
): Html =>
  html`<select name="${name}" aria-label="${label}">${
    options.map(([value, label]) =>
      html`<option value="${value}"${value === (asked[name] ?? "") ? html` selected` : nothing}>${label}</option>`
    )
  }</select>`

const nothingHere = ({ asked, counts: { all } }: QueueView): Html => {
  if (!isNarrowed(asked)) return text(asked.state === "waiting" ? "review.nothingWaiting" : "review.none")
  const search = asked.search.trim()
  const elsewhere = link(queueAddress(asked, { state: "all" }))
  return html`${
    search === ""
      ? text("queue.nothing", { apps: all, elsewhere })
      : all === 0
      ? text("review.search.nothing", { search })
      : text("review.search.elsewhere", { search, apps: all, elsewhere })
  }<br>
<a href="${queueAddress({ state: asked.state, search: "" })}">${text("review.search.clear")}</a>`
}

/** Table whose boxes lead to a page for all chosen apps. */
const list = (view: QueueView): Html => {
  const isChosen = view.clients.some(({ isWaiting }: ManagedClient) => isWaiting)
  const rows = html`<div class="overflow-auto"><table class="queue" aria-label="${
    text(`review.state.${view.asked.state}`)
  }">
<thead><tr>${isChosen ? html`<td class="box"></td>` : nothing}<th scope="col">${
    text("review.app")
  }</th><th scope="col">${text("review.owner")}</th><th scope="col">${text("queue.flags")}</th><th scope="col">${
    text("queue.age")
  }</th></tr></thead>
<tbody>
${view.clients.map((client) => queueRow(view, client, isChosen))}
</tbody></table></div>`
  return isChosen
    ? html`<form method="get" action="${chosenPath}" class="chooser">
${rows}
<p class="actions bar"><button class="secondary">${text("queue.chosen")}</button></p>
</form>`
    : rows
}
