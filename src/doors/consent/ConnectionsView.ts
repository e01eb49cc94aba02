import { DateTime, type Duration } from "effect"
import { type Filter, filters, type ListWish, sorts, unusedRights } from "../../core/consent/ConnectionList.ts"
import type { Connection, ConnectionPage, UsedConnection } from "../../core/consent/Connections.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { agoText, durationText } from "../../foundation/web/DateText.ts"
import { forReader, type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { page } from "../../foundation/web/Layout.ts"
import { hidden, link, text } from "../../foundation/web/Message.ts"
import { pager } from "../../foundation/web/Pager.ts"
import { appLogo } from "../parts/AppHead.ts"
import { connectionPath } from "../parts/Paths.ts"
import { reachText } from "../parts/RiskText.ts"
import { useText } from "../parts/UseText.ts"
import type { Visitor } from "../session/PageSession.ts"
import { accessSummary } from "./AccessSummary.ts"
import { atResource } from "./AskingApp.ts"
import {
  boxOf,
  connectionsPath,
  disconnectAllPath,
  disconnectOnePath,
  disconnectPath,
  hiddenState,
  listPath,
  longestSearch,
  unusedPath,
  usual
} from "./ConnectionsAddress.ts"
import { lastUseAgo, unseenText } from "./LastUseView.ts"
import { type AskedGuest, testInvitations } from "./TestInvitationsView.ts"

interface ConnectionsView {
  readonly catalogue: Catalogue
  readonly visitor: Visitor
  readonly wish: ListWish
  readonly found: ConnectionPage
  /** Notice above the list. */
  readonly note: Html
  /** Time without use after which an app counts as unused. */
  readonly unusedAfter: Duration.Duration
  readonly invitations: ReadonlyArray<AskedGuest>
}

/** Apps that have access to the visitor's account: one line each. */
export const connectionsPage = (view: ConnectionsView) => {
  const { found, note, visitor } = view
  return page({
    title: text("connections"),
    viewer: visitor.viewer,
    body: html`<h1 id="connections">${text("connections")}</h1>
${note}
${testInvitations(visitor, view.invitations)}
${found.total === 0 ? html`<p class="empty">${text("connections.none")}</p>` : body(view)}`
  })
}

const body = (view: ConnectionsView): Html => {
  const { found, visitor: { account }, wish } = view
  return html`<p>${text("connections.why", { apps: found.total })}</p>
${
    found.unused === 0
      ? nothing
      : html`<p>${text("connections.unused", { apps: found.unused, link: link(unusedPath) })}</p>`
  }
${found.total > fewApps || isNarrowed(wish) ? finder(view) : nothing}
${found.connections.length === 0 ? html`<p class="empty">${nothingHere(view)}</p>` : list(view)}
${pager(found, (page) => listPath(wish, { page }))}
${unseenText(found.coverage, found.connections.map(({ use }) => use.last), account)}`
}

/** As many as are seen at a glance, without looking for one. */
const fewApps = 5

const isNarrowed = ({ search, show }: ListWish): boolean => search !== "" || show !== usual.show

const finder = (view: ConnectionsView): Html => {
  const { found: { counts }, wish } = view
  const current = (is: boolean) => is ? html` aria-current="true"` : nothing
  return html`<search><form method="get" action="${connectionsPath}" class="finder">
${hiddenState({ ...wish, search: "", page: 1 })}
<input type="search" name="search" value="${wish.search}" maxlength="${longestSearch}" aria-label="${
    text("connections.search.label")
  }" placeholder="${text("connections.search.label")}">
<button class="secondary">${text("connections.search")}</button>
</form></search>
<nav class="tabs" aria-label="${text("connections.show")}"><ul>${
    filters.filter((filter) => counts[filter] > 0 || filter === wish.show || filter === "all").map((show) =>
      html`<li><a href="${listPath(wish, { show })}"${current(show === wish.show)}>${
        filterName(view, show)
      } <small class="count">${forReader(({ language }) => language.number(counts[show]))}</small></a></li>`
    )
  }</ul></nav>
<nav class="tabs sorts" aria-label="${text("connections.sort")}"><ul><li aria-hidden="true">${
    text("connections.sort")
  }</li>${
    sorts.map((sort) =>
      html`<li><a href="${listPath(wish, { sort })}"${current(sort === wish.sort)}>${
        text(`connections.sort.${sort}`)
      }</a></li>`
    )
  }</ul></nav>`
}

const filterName = ({ catalogue, unusedAfter }: ConnectionsView, filter: Filter): Phrase => {
  switch (filter) {
    case "unused":
      return text("connections.showUnused", { duration: durationText(unusedAfter) })
    case "everyone":
      return text("connections.showEveryone", {
        reach: reachText(catalogue.file.levels.findLast(({ everyone }) => everyone))
      })
    default:
      return text(`connections.show.${filter}`)
  }
}

const nothingHere = ({ found, wish }: ConnectionsView): Html =>
  html`${
    found.counts.all > 0 ? text("connections.nothingShown") : text("connections.nothingFound", { search: wish.search })
  }<br>
${text("connections.showAll", { apps: found.total, link: link(listPath({ ...usual, sort: wish.sort })) })}`

const list = (view: ConnectionsView): Html => {
  const { found: { connections, total }, wish } = view
  const several = total > 1
  return html`<form method="get" action="${disconnectPath}" class="chooser">
${hiddenState(wish)}
<table class="apps" aria-labelledby="connections">
<thead><tr>${several ? html`<td class="box"></td>` : nothing}<th scope="col">${
    text("connections.app")
  }</th><th scope="col">${text("connections.may")}</th><th scope="col" class="when">${
    text("connections.lastUsed")
  }</th><td class="end"></td></tr></thead>
<tbody>
${connections.map((connection) => row(view, connection, several))}
</tbody></table>
${
    several
      ? html`<p class="actions bar"><button class="secondary">${text("connections.disconnect.chosen")}</button>${
        isNarrowed(wish) && connections.length > 1
          ? html` <a href="${disconnectAllPath(wish)}">${
            text("connections.disconnect.all", { apps: connections.length })
          }</a>`
          : nothing
      }</p>`
      : nothing
  }
</form>`
}

const row = (
  view: ConnectionsView,
  connection: UsedConnection,
  several: boolean
): Html => {
  const { visitor: { account }, wish } = view
  const { client, clientId, resources, use } = connection
  const { name, status, website } = client
  return html`<tr>
${
    several
      ? html`<td class="box"><input type="checkbox" name="${boxOf(clientId)}" aria-label="${
        text("connections.choose", { app: name })
      }"></td>`
      : nothing
  }<th scope="row"><div class="app">${appLogo(client)}<span><a href="${
    connectionPath(clientId)
  }"><bdi>${name}</bdi></a>${
    URL.canParse(website) ? html`<small><bdi>${new URL(website).host}</bdi></small>` : nothing
  }</span></div></th><td class="may">${mayView(view, connection)}${resources.map(atResource)}${
    status === "approved" ? nothing : html`<small class="error">${text("connections.isSuspended")}</small>`
  }</td><td class="when" data-label="${text("connections.lastUsed")}">${lastUseAgo(use.last)}${
    forReader(({ now }) => {
      const notes = [beginningOrEnd(connection, account, now), unusedText(connection)].filter((note) =>
        note !== nothing
      )
      return notes.length === 0
        ? nothing
        : html`<small>${notes.map((note, at) => html`${at === 0 ? "" : " · "}${note}`)}</small>`
    })
  }</td><td class="end"><a class="button quiet" href="${disconnectOnePath(clientId, wish)}">${
    text("connections.disconnect.app", { app: name, hidden })
  }</a></td></tr>`
}

/** What it may do, and folded beneath it what it did with each right. */
const mayView = (
  { catalogue, found: { coverage } }: ConnectionsView,
  { judgement, use }: UsedConnection
): Html =>
  use.rights.length === 0
    ? accessSummary(judgement)
    : html`<details><summary>${accessSummary(judgement)}</summary><ul>${
      use.rights.map((right) =>
        html`<li>${
          text("connections.right", {
            right: forReader(({ language: { tag } }) => catalogue.describe(right.scope, tag).title),
            use: useText(right, coverage)
          })
        }</li>`
      )
    }</ul></details>`

const unusedText = (connection: UsedConnection): Html => {
  const { use: { last, rights } } = connection
  const unused = unusedRights(connection)
  // One that was never used at all has used no right, either.
  return unused === 0 || last.by === "calls" && last.at === null
    ? nothing
    : text("connections.unusedRights", { unused, rights: rights.length })
}

const beginningOrEnd = (
  { endsAt, isImported, since }: Connection,
  account: Visitor["account"],
  now: DateTime.Utc | undefined
): Html =>
  isImported && since === null
    ? text("connections.fromBefore")
    : now !== undefined && DateTime.isLessThan(endsAt, DateTime.add(now, { days: 31 }))
    ? text("connections.ends", { ago: agoText(endsAt, account) })
    : nothing
