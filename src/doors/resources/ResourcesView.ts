import type { Resource } from "../../core/resources/Resource.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { breakable } from "../../foundation/web/BreakableText.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { noticeOf } from "../../foundation/web/Notice.ts"
import { auditTrail, type TrailEntry } from "../parts/AuditTrailView.ts"
import type { Visitor } from "../session/PageSession.ts"
import { resourceActions } from "./ResourceTrail.ts"

interface ResourcesView {
  readonly visitor: Visitor
  readonly resources: ReadonlyArray<Resource>
  /** The API, which is always a resource and is registered nowhere. */
  readonly api: { readonly identifier: string; readonly name: string; readonly baseScopes: ReadonlyArray<ScopeName> }
  readonly trail: ReadonlyArray<TrailEntry>
}

export const resourcesPath = "/resources"
export const resourcePath = (id: string): string => `${resourcesPath}/${encodeURIComponent(id)}`

/** All resources, and what was done about them. */
export const resourcesBody = (view: ResourcesView): Html =>
  html`<div class="heading"><h1>${text("resources")}</h1><a href="${resourcesPath}/new" class="button">${
    text("resources.register")
  }</a></div>
${noticeOf(view.visitor.notice)}
<p>${text("resources.about")}</p>
${view.resources.length === 0 ? html`<p class="empty">${text("resources.none")}</p>` : nothing}
${table(view)}
${view.trail.length === 0 ? nothing : auditTrail(view.trail, view.visitor, resourceActions)}`

const table = ({ api, resources, visitor }: ResourcesView): Html =>
  html`<div class="overflow-auto"><table aria-label="${text("resources")}">
<thead><tr><th scope="col">${text("resources.name")}</th><th scope="col">${
    text("resources.scopes")
  }</th><th scope="col">${text("resources.baseScopes")}</th><th scope="col">${text("resources.since")}</th></tr></thead>
<tbody>
${
    resources.map((resource) =>
      html`<tr><th scope="row" class="free"><a href="${resourcePath(resource.id)}"><bdi>${resource.name}</bdi></a><br>${
        identifierOf(resource)
      }</th><td data-label="${text("resources.scopes")}">${
        text("resources.scopes.count", { count: resource.scopes.length })
      }</td><td class="free" data-label="${text("resources.baseScopes")}">${
        scopeNames(resource.baseScopes)
      }</td><td data-label="${text("resources.since")}">${dateText(resource.createdAt, visitor.account)}</td></tr>\n`
    )
  }<tr><th scope="row" class="free"><bdi>${api.name}</bdi><br>${identifierOf(api)}</th><td data-label="${
    text("resources.scopes")
  }">${text("resources.scopes.all")}</td><td class="free" data-label="${text("resources.baseScopes")}">${
    scopeNames(api.baseScopes)
  }</td><td data-label="${text("resources.since")}">${text("resources.always")}</td></tr>
</tbody></table></div>`

const identifierOf = ({ identifier }: Pick<Resource, "identifier">): Html =>
  html`<small class="muted">${breakable(identifier)}</small>`

/** Names of scopes, one on a line. */
export const scopeNames = (scopes: ReadonlyArray<string>): ReadonlyArray<Html> =>
  scopes.map((scope, at) => html`${at === 0 ? nothing : html`<br>`}<code>${scope}</code>`)
