import type { Resource } from "../../core/resources/Resource.ts"
import type { ResourceUsage } from "../../core/resources/ResourceUsage.ts"
import type { ResourceServer } from "../../core/tokens/ResourceServers.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { confirmation } from "../../foundation/web/Confirmation.ts"
import { copyField } from "../../foundation/web/CopyField.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { forReader, type Html, html } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { noticeOf } from "../../foundation/web/Notice.ts"
import type { Visitor } from "../session/PageSession.ts"
import { type ConnectedTo, connectSection } from "./ConnectResourceView.ts"
import { credentialsSection } from "./CredentialsView.ts"
import { resourcePath, resourcesPath } from "./ResourcesView.ts"

export interface ResourceView {
  readonly visitor: Visitor
  readonly catalogue: Catalogue
  readonly resource: Resource
  readonly usage: ResourceUsage
  readonly credentials: ReadonlyArray<ResourceServer>
  readonly addresses: ConnectedTo
  /** Refusal of a credential, and the name that was entered for it. */
  readonly problem?: BadRequest | Conflict | undefined
  readonly entered?: string | undefined
}

/** A resource: what it is, how it is connected, and who may ask about its tokens. */
export const resourceBody = (view: ResourceView): Html => {
  const { catalogue, resource, usage, visitor } = view
  const path = resourcePath(resource.id)
  return html`<p><a href="${resourcesPath}">${text("resources")}</a></p>
<div class="heading"><h1><bdi>${resource.name}</bdi></h1><p class="actions"><a href="${path}/edit">${
    text("resource.edit")
  }</a> <a href="${path}/remove">${text("resource.remove")}</a></p></div>
${noticeOf(visitor.notice)}
<dl class="facts">
<dt>${text("resource.identifier")}</dt><dd>${copyField(text("resource.identifier"), resource.identifier)}</dd>
<dt>${text("resource.scopes")}</dt><dd>${titles(catalogue, resource.scopes)}</dd>
<dt>${text("resource.baseScopes")}</dt><dd>${titles(catalogue, resource.baseScopes)}</dd>
<dt>${text("resource.use")}</dt><dd>${usageText(usage)}</dd>
<dt>${text("resources.since")}</dt><dd>${dateText(resource.createdAt, visitor.account)}</dd>
</dl>
${connectSection(resource, view.addresses)}
${credentialsSection(view)}`
}

/** Asks before a resource goes with all that users gave for it. */
export const removeBody = (resource: Resource, usage: ResourceUsage, credentials: number, { viewer }: Visitor): Html =>
  confirmation({
    question: text("resource.remove.question", { name: html`<bdi>${resource.name}</bdi>` }),
    consequences: html`<p>${
      usage.grants === 0 ? text("resource.remove.unused") : text("resource.remove.used", {
        grants: usage.grants,
        apps: usage.apps,
        users: usage.users,
        least: usage.isComplete ? "no" : "yes"
      })
    }</p>
<p>${text("resource.remove.consequences", { credentials })}</p>`,
    action: `${resourcePath(resource.id)}/remove`,
    button: text("resource.remove.button"),
    back: resourcePath(resource.id),
    viewer
  })

const usageText = ({ apps, grants, isComplete, users }: ResourceUsage): Html =>
  grants === 0
    ? text("resource.use.none")
    : text("resource.use.some", { grants, apps, users, least: isComplete ? "no" : "yes" })

/** Scopes as people read them, with their names. */
const titles = ({ describe }: Catalogue, scopes: ReadonlyArray<ScopeName>): Html =>
  html`<ul>${
    scopes.map((scope) =>
      html`<li>${forReader(({ language }) => describe(scope, language.tag).title)} <code>${scope}</code></li>`
    )
  }</ul>`
