import type { TrustedHost } from "../../core/clients/documents/TrustedHost.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { confirmation } from "../../foundation/web/Confirmation.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { forReader, type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { hidden, text } from "../../foundation/web/Message.ts"
import { notice, noticeOf } from "../../foundation/web/Notice.ts"
import { reviewPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"

export const trustedHostsPath = "/review/hosts"

interface TrustedHostsView {
  readonly catalogue: Catalogue
  readonly hosts: ReadonlyArray<TrustedHost>
  readonly names: ReadonlyMap<string, Phrase>
  readonly base: ReadonlyArray<ScopeName>
  /** Approvals take two people, so none of them counts. */
  readonly takesTwo: boolean
  readonly visitor: Visitor
}

/** Why no host is trusted where approvals take two people. */
export const takesTwoText = text("error.host_takes_two")

/** Hosts whose apps need no review for the base set, each with its end. */
export const trustedHostsBody = (view: TrustedHostsView): Html =>
  html`<p><a href="/review">${text("review")}</a></p>
<h1 id="hosts">${text("trustedHosts")}</h1>
${noticeOf(view.visitor.notice)}
<p>${text("trustedHosts.about")}</p>
${view.takesTwo ? notice("warning", html`<p>${takesTwoText}</p>`) : nothing}
${baseList(view)}
${
    view.hosts.length === 0
      ? html`<p class="empty">${text("trustedHosts.none")}</p>`
      : html`<div class="overflow-auto"><table aria-labelledby="hosts">
<thead><tr><th scope="col">${text("trustedHosts.host")}</th><th scope="col">${
        text("trustedHosts.apps")
      }</th><th scope="col">${text("trustedHosts.by")}</th><td></td></tr></thead>
<tbody>
${view.hosts.map((host) => row(view, host))}
</tbody></table></div>`
  }`

/** Asks before a host is trusted, with what it means. */
export const trustBody = (
  { app, base, catalogue, host, viewer }: Pick<TrustedHostsView, "base" | "catalogue"> & {
    readonly app: { readonly id: string; readonly name: string }
    readonly host: string
    readonly viewer: Visitor["viewer"]
  }
): Html =>
  confirmation({
    question: text("trustedHosts.question", { host: html`<bdi>${host}</bdi>` }),
    consequences: html`<ul>
<li>${text("trustedHosts.means.now", { app: html`<bdi>${app.name}</bdi>` })}</li>
<li>${text("trustedHosts.means.later", { host: html`<strong><bdi>${host}</bdi></strong>` })}</li>
<li>${text("trustedHosts.means.exact", { host: html`<bdi>${host}</bdi>` })}</li>
<li>${text("trustedHosts.means.more")}</li>
</ul>
${baseList({ base, catalogue })}`,
    action: `${reviewPath(app.id)}/trust`,
    button: text("trustedHosts.trust", { host: html`<bdi>${host}</bdi>` }),
    tone: "primary",
    back: reviewPath(app.id),
    backLabel: text("trustedHosts.notNow"),
    viewer
  })

const baseList = ({ base, catalogue }: Pick<TrustedHostsView, "base" | "catalogue">): Html =>
  html`<p>${text("trustedHosts.base")}</p>
<ul>${
    base.map((scope) =>
      html`<li>${
        forReader(({ language: { tag } }) => html`${catalogue.describe(scope, tag).title}`)
      } <code>${scope}</code></li>`
    )
  }</ul>`

const row = ({ names, visitor: { account, viewer } }: TrustedHostsView, { apps, at, by, host }: TrustedHost): Html =>
  html`<tr><th scope="row"><bdi>${host}</bdi></th><td data-label="${text("trustedHosts.apps")}"><a href="/review?${
    new URLSearchParams({ state: "all", search: host }).toString()
  }">${text("trustedHosts.count", { count: apps })}</a></td><td data-label="${text("trustedHosts.by")}">${
    names.get(by) ?? by
  }<br><small class="muted">${dateText(at, account)}</small></td><td><form method="post" action="${trustedHostsPath}/${
    encodeURIComponent(host)
  }/end">${csrfField(viewer)}<button class="link">${
    text("trustedHosts.end", { host, hidden })
  }</button></form></td></tr>`
