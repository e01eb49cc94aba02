import type { AppFigures } from "../../core/clients/AppFigures.ts"
import { type NextStep, nextStep } from "../../core/clients/life/NextStep.ts"
import type { Draft } from "../../core/clients/life/RegistrationDrafts.ts"
import type { AppRole } from "../../core/clients/records/AppAccess.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { OwnedPage } from "../../core/clients/records/ClientsRepo.ts"
import type { ClientId } from "../../domain/Ids.ts"
import { copyOf } from "../../foundation/web/CopyField.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { hidden, link, text } from "../../foundation/web/Message.ts"
import { noticeOf } from "../../foundation/web/Notice.ts"
import { appPath } from "../parts/Paths.ts"
import { statusView } from "../parts/StatusView.ts"
import type { Visitor } from "../session/PageSession.ts"
import { lastUse, refusedCount, userCount } from "./AppFiguresText.ts"
import { draftList } from "./DraftsView.ts"
import { type OfferView, ownerInvitations } from "./OwnerInvitationsView.ts"

interface AppListView extends OwnedPage {
  readonly visitor: Visitor
  /** What is looked for; empty for all. */
  readonly search: string
  readonly isFirst: boolean
  /** Registrations that were begun. */
  readonly drafts: ReadonlyArray<Draft>
  /** Roles of the visitor in the apps of the page. */
  readonly roles: ReadonlyMap<string, AppRole>
  /** Invitations to share an app. */
  readonly offers: ReadonlyArray<OfferView>
  readonly figures: (id: ClientId) => AppFigures
}

export const appsPath = "/settings/apps"
export const longestSearch = 100

export const listBody = (view: AppListView): Html => {
  const { clients, drafts, isFirst, search, visitor } = view
  const hasApps = clients.length > 0 || !isFirst || search !== ""
  return html`<div class="heading"><h1>${text("apps")}</h1><a href="/settings/apps/new" class="button">${
    text("apps.register")
  }</a></div>
${noticeOf(visitor.notice)}
${ownerInvitations(visitor, view.offers)}
${draftList(visitor, drafts)}
${
    hasApps
      ? html`${finder(search)}
${clients.length === 0 ? html`<p class="empty">${nothingFound(search)}</p>` : table(view)}
${pages(view)}`
      : html`<p class="empty">${text("apps.none")}</p>`
  }`
}

const finder = (search: string): Html =>
  html`<search><form method="get" action="${appsPath}" class="finder">
<input type="search" name="search" value="${search}" maxlength="${longestSearch}" aria-label="${
    text("apps.search.label")
  }" placeholder="${text("apps.search.label")}">
<button class="secondary">${text("apps.search")}</button>
</form></search>`

const nothingFound = (search: string): Html => text("apps.search.nothing", { search, link: link(appsPath) })

const table = (view: AppListView): Html =>
  html`<div class="overflow-auto"><table class="queue" aria-label="${text("apps")}">
<thead><tr><th scope="col">${text("apps.app")}</th><th scope="col">${text("apps.state")}</th><th scope="col">${
    text("app.users")
  }</th><th scope="col">${text("appFigures.lastUsed")}</th><th scope="col">${
    text("appFigures.refused")
  }</th></tr></thead>
<tbody>
${view.clients.map((client) => row(view, client))}
</tbody></table></div>`

const row = ({ figures: figuresOf, roles, visitor: { account } }: AppListView, client: ManagedClient): Html => {
  const figures = figuresOf(client.id)
  return html`<tr><th scope="row"><a href="${appPath(client.id)}"><bdi>${client.name}</bdi></a><small>${
    text(`apps.kind.${client.kind}`)
  }${shared(roles.get(client.id))} ${copyOf(text("apps.copyId", { app: client.name, hidden }), client.id)}</small></th>
<td>${statusView(client)}${next(nextStep(client, figures))}</td>
<td data-label="${text("app.users")}">${userCount(figures)}</td>
<td data-label="${text("appFigures.lastUsed")}">${lastUse(figures.lastUsedAt, account)}</td>
<td data-label="${text("appFigures.refused")}">${refusedCount(client.id, figures)}</td></tr>\n`
}

/** Role in an app of somebody else. */
const shared = (role: AppRole | undefined): Html =>
  role === undefined || role === "first" ? nothing : html` · ${text(`owners.shared.${role}`)}`

/** What there is to do, where the state does not say it. */
const next = (step: NextStep): Html => {
  const words = todo[step]
  return words === undefined ? nothing : html`<small>${words}</small>`
}

const todo: Readonly<Partial<Record<NextStep, Html>>> = {
  answer: text("apps.next.answer"),
  rejected: text("apps.next.rejected"),
  "change-rejected": text("apps.next.changeRejected"),
  addresses: text("apps.next.addresses"),
  scopes: text("apps.next.scopes"),
  token: text("apps.next.token")
}

const pages = ({ isFirst, nextCursor, search }: AppListView): Html => {
  const address = (more: Readonly<Record<string, string>>) => {
    const query = String(new URLSearchParams({ ...(search === "" ? {} : { search }), ...more }))
    return query === "" ? appsPath : `${appsPath}?${query}`
  }
  return isFirst && nextCursor === null ? nothing : html`<nav aria-label="${text("pager.pages")}"><ul>
<li>${isFirst ? nothing : html`<a href="${address({})}">${text("apps.firstPage")}</a>`}</li>
<li>${
    nextCursor === null
      ? nothing
      : html`<a href="${address({ cursor: nextCursor })}" rel="next">${text("apps.nextPage")}</a>`
  }</li>
</ul></nav>`
}
