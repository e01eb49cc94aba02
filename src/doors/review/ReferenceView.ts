import { Duration } from "effect"
import type { Account } from "../../core/accounts/people/Account.ts"
import type { FoundRefusal } from "../../core/clients/life/RefusedRequest.ts"
import type { Client } from "../../core/clients/records/Client.ts"
import type { TimePreferences } from "../../domain/InstantText.ts"
import { breakable } from "../../foundation/web/BreakableText.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Viewer } from "../../foundation/web/Layout.ts"
import { code, english, text } from "../../foundation/web/Message.ts"
import { reviewPath } from "../parts/Paths.ts"
import { referenceSearch } from "../parts/ReferenceSearch.ts"

interface ReferenceView {
  readonly reference: string | undefined
  readonly found: ReadonlyArray<FoundRefusal>
  readonly apps: ReadonlyMap<string, Client>
  readonly people: ReadonlyMap<string, Account>
  /** How long refused requests are kept. */
  readonly lifetime: Duration.Duration
  readonly reader: TimePreferences
  readonly viewer: Viewer
}

export const referencesPath = "/review/references"

export const referenceBody = (view: ReferenceView): Html =>
  html`<p><a href="/review">${text("review.queue")}</a></p>
<h1>${text("references")}</h1>
<p class="muted">${text("references.about", { days: Math.floor(Duration.toDays(view.lifetime)) })}</p>
${referenceSearch(referencesPath, view.reference)}
${
    view.reference === undefined
      ? nothing
      : view.found.length === 0
      ? html`<div class="empty"><p>${
        text("references.nothing", { reference: html`<code>${view.reference}</code>` })
      }</p>
<p>${text("references.inLog", { field: "request_id", code })}</p></div>`
      : table(view)
  }`

const table = (view: ReferenceView): Html => {
  const [app, person] = [text("references.app"), text("references.person")]
  const [endpoint, cause] = [text("refusals.endpoint"), text("refusals.cause")]
  return html`<div class="overflow-auto"><table aria-label="${text("refusals")}">
<thead><tr>${
    [text("refusals.when"), app, person, endpoint, cause].map((name) => html`<th scope="col">${name}</th>`)
  }</tr></thead>
<tbody>
${
    view.found.map(({ at, clientId, endpoint: of, error, reason, times, userId }) =>
      html`<tr>
<td class="muted">${dateText(at, view.reader)}</td>
<td class="free" data-label="${app}">${clientId === null ? text("references.noApp") : appOf(view, clientId)}</td>
<td class="free" data-label="${person}">${userId === null ? text("references.nobody") : personOf(view, userId)}</td>
<td data-label="${endpoint}">${text(`refusals.endpoint.${of}`)}<br><code>${error}</code></td>
<td class="free" data-label="${cause}">${english(reason)}${
        times > 1 ? html` <span class="muted">${text("refusals.times", { times })}</span>` : nothing
      }</td>
</tr>`
    )
  }
</tbody></table></div>`
}

const appOf = ({ apps }: ReferenceView, id: string): Html =>
  html`<a href="${reviewPath(id)}"><bdi>${apps.get(id)?.name ?? id}</bdi></a><br><small class="muted">${
    breakable(id)
  }</small>`

/** A person is a link where this server keeps the accounts, and the bare id where the account is gone. */
const personOf = ({ people, viewer }: ReferenceView, id: string): Html => {
  const person = people.get(id)
  const name = html`<bdi>${person?.name ?? id}</bdi>`
  return html`${
    viewer.managesUsers && person !== undefined ? html`<a href="/users/${encodeURIComponent(id)}">${name}</a>` : name
  }${person === undefined ? nothing : html`<br><small class="muted">${breakable(person.email)}</small>`}`
}
